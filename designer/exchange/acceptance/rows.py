"""The row of the acceptance sheet in the table of exporters."""

from designer.exchange.acceptance.options import AcceptanceOptions
from designer.exchange.exporter import DEPLOYMENT, Exporter, rendered_by, said_by
from designer.late import Late

files = Late("designer.exchange.acceptance.files")

EXPORTERS: tuple[Exporter, ...] = (
    Exporter(
        "acceptance",
        "Acceptance sheet",
        ".html",
        AcceptanceOptions,
        rendered_by(lambda: files.write_sheet, hears=True),
        group=DEPLOYMENT,
        other_suffixes=(".json", ".zip"),
        about="What the whole fabric, each unit, each rail and each pair of units should measure, with tolerance and "
        "the commands of nccl-tests; as .json a file that a bring-up job asserts, as .zip with scripts and host "
        "lists.",
        outcome=said_by(lambda: files.outcome),
    ),
)
