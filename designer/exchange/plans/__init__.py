"""Cable plans: their columns and sheets, other tools' versions of them, and what changed since an earlier one."""
