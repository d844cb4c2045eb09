"""`fix FILE -o FILE`: every safe fix of the findings, applied one after another."""

from pathlib import Path

import click

from designer.analysis.oversubscription import ratios_after
from designer.cli.files import check_output, open_design, save_design
from designer.cli.main import say, tell
from designer.cli.options import DESIGN_ARGUMENT, FORCE_OPTION, PATH
from designer.cli.validate import POLICY_OPTION, rules_option, with_policy
from designer.tables.table import aligned
from designer.validation.fixing import fixed


@click.command()
@DESIGN_ARGUMENT
@rules_option("Rules whose findings are fixed, or families such as PORT, instead of all.")
@POLICY_OPTION
@click.option("--dry-run", is_flag=True, help="List the fixes and write nothing.")
@click.option("-o", "--output", type=PATH, help="The file to write.", metavar="FILE")
@FORCE_OPTION
def command(
    file: Path,
    codes: frozenset[str] | None,
    policy: Path | None,
    dry_run: bool,
    output: Path | None,
    force: bool,
) -> None:
    """Apply the fixes of the findings, one after the other, where they raise no new error or warning."""
    if output is None and not dry_run:
        raise click.UsageError("Missing option '-o': where to write; or --dry-run to look at the fixes.")
    if output is not None and not dry_run:
        check_output(output, force)
    design = open_design(file)
    made = fixed(with_policy(design.snapshot(), policy), codes)  # the design keeps its own policy
    if made.fixes:
        say(aligned(list(made.fixes)))
        if ratios := ratios_after(design, made.edit):
            say(f"Oversubscription then: {ratios}")
    if output is None or dry_run:
        tell(made.sentence)
        return
    design.apply(made.edit)
    save_design(design, output)
    tell(f"wrote {output}: {made.sentence}")
