"""Why a link is hot, what limits a run, and what changed against another one."""
