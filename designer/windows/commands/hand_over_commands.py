"""Commands that hand a design over as a whole: pack it, record it, save a copy that names nobody."""

from designer.late import Late
from designer.windows.commands.actions import ActionRow, has_devices, needs
from designer.windows.commands.document_commands import FILE, may_save
from designer.windows.desk import Desk

packing = Late("designer.windows.files.packing")


@needs("The design has no devices yet, or is open as read-only.")
def may_record(desk: Desk) -> bool:
    """Whether there is a design to hand over, and it may be changed."""
    return has_devices(desk) and may_save(desk)


def pack(desk: Desk) -> None:
    """Show the dialog that packs all documents into one file."""
    desk.dialogs.show("pack")


def record(desk: Desk) -> None:
    """Show the dialog that records a revision."""
    desk.dialogs.show("record")


def save_redacted(desk: Desk) -> None:
    """Ask where to, and write a copy there that names nobody; the design stays as it is."""
    packing.save_redacted_copy(desk)


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "file.pack",
        "Export Hand-over Package…",
        "",
        "export",
        has_devices,
        pack,
        FILE,
        hint="All documents in one ZIP file, with a summary to read first",
    ),
    ActionRow(
        "file.record",
        "Record Revision…",
        "",
        "",
        may_record,
        record,
        FILE,
        hint="Keep number, date and digest of what was handed over in the design",
    ),
    ActionRow(
        "file.save_redacted",
        "Save Redacted Copy…",
        "",
        "",
        has_devices,
        save_redacted,
        FILE,
        hint="Names by a pattern, without notes, labels, prices and sites; structure, figures and results stay",
    ),
)
