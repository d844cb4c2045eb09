"""Commands about findings: check, go from one to the next, fix, waive, set the policy."""

from collections.abc import Callable
from typing import Any, cast

from designer.analysis.cable_numbers import keep_numbered
from designer.analysis.outlook import connections
from designer.canvas.previews import Preview
from designer.errors import EditError, sentence
from designer.late import Late
from designer.model import waiving
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Link, Module
from designer.panels.findings.grouping import GROUPINGS, NONE
from designer.session.jobs import Progress
from designer.units import format_counted
from designer.windows.commands.actions import ActionRow, has_devices, needs
from designer.windows.desk import Desk
from designer.windows.shell.construction_bar import Construction
from designer.windows.shell.previewing import Make

CHECK = "Check"
PREVIEW = "check.preview"

fixing = Late("designer.validation.fixing")
oversubscription = Late("designer.analysis.oversubscription")
proposals = Late("designer.validation.proposals")


def check_now(desk: Desk) -> None:
    """Show the findings and check the design at once."""
    desk.docks.show("findings")
    desk.session.workbench.validation.check_all()


def next_finding(desk: Desk) -> None:
    """Show the findings and go to the next one, from the last to the first."""
    desk.docks.show("findings")
    desk.docks.findings.step(1)


def previous_finding(desk: Desk) -> None:
    """Show the findings and go to the previous one, from the first to the last."""
    desk.docks.show("findings")
    desk.docks.findings.step(-1)


def apply_fix(desk: Desk) -> None:
    """Apply the fix of the current finding as one edit; refused where the design has changed since the check."""
    desk.docks.findings.apply_fix()


def fix_alike(desk: Desk, code: str = "") -> None:
    """Apply the fixes of every finding of a rule, that of the current finding where none is named, as one edit."""
    current = desk.docks.findings.current_finding()
    code = code or (current.code if current is not None else "")
    if code:
        _fix_all(desk, f"Fixing {code}", frozenset((code,)))


def fix_everything(desk: Desk) -> None:
    """Apply every fix that raises no new error or warning, as one edit."""
    _fix_all(desk, "Fixing findings", None)


def preview_fix(desk: Desk, place: int = 0) -> None:
    """Show on the canvas what fixes the current finding best, or the next best, until it is applied or left."""
    finding, validation = desk.docks.findings.current_finding(), desk.session.workbench.validation
    if finding is None or finding.waiver is not None or not (finding.fix is not None or validation.fixes.known):
        return
    known, said = validation.known(), list[str]()

    def make(design: Design, progress: Progress) -> tuple[Edit, str]:
        found = proposals.proposals(design, finding, known, progress)[place : place + 1]
        for one in found:
            said.append(one.label)
            note = _joined(design, one.edit), sentence(one.effect) if one.effect else ""
            return keep_numbered(design, one.edit), " ".join(filter(None, note))
        raise EditError(f"{finding.code} is not there any more")

    title = finding.fix.label if finding.fix is not None else finding.message
    _preview(
        desk,
        f"{finding.code}: {title}",
        make,
        lambda: f"Fixed {finding.code}: {said[-1]}",
        lambda: f"{finding.code}: {said[-1]}",
    )


def preview_alike(desk: Desk, code: str = "") -> None:
    """Show on the canvas what the fixes of all findings of a rule would do, that of the current one by default."""
    current = desk.docks.findings.current_finding()
    code = code or (current.code if current is not None else "")
    if code:
        _preview_all(desk, f"Fix all of {code}", frozenset((code,)))


def preview_everything(desk: Desk) -> None:
    """Show on the canvas what every fix that raises no new error or warning would do."""
    _preview_all(desk, "Fix all findings", None)


def _preview_all(desk: Desk, title: str, codes: frozenset[str] | None) -> None:
    said: list[str] = []
    known = desk.session.workbench.validation.known()

    def make(design: Design, progress: Progress) -> tuple[Edit, str]:
        made = fixing.fixed(design, codes, progress, known)
        if not made.fixes:
            raise EditError(made.sentence)
        said.append(f"{made.sentence}.")
        return made.edit, f"{_joined(design, made.edit)} {made.prospect}.".strip()

    _preview(desk, title, make, lambda: said[-1])


def _joined(design: Design, edit: Edit) -> str:
    """Which ports a fix connects, and how oversubscribed the switches are then that it joins."""
    return " ".join(filter(None, (sentence(connections(design, edit)), _ratios(design, edit))))


def _ratios(design: Design, edit: Edit) -> str:
    ratios = oversubscription.ratios_after(design, edit)
    return f"Oversubscription then: {ratios}." if ratios else ""


def follow_preview(desk: Desk) -> None:
    """Preview the fix of the finding that is current now, where that of another is previewed."""
    if desk.construction.shown == PREVIEW:
        if has_fix(desk):
            preview_fix(desk)
        else:
            desk.construction.close_bar()


def _preview(
    desk: Desk, title: str, make: Make, said: Callable[[], str], titled: Callable[[], str] | None = None
) -> None:
    """Show what an edit would do, under a title that may be known by then; once it is applied, what it has done."""
    session = desk.session

    def show(ready: Preview, note: str) -> None:
        desk.views.go_to(_touched(session.design, ready.edit), only_look=True)
        shown = Construction(
            PREVIEW,
            titled() if titled is not None else title,
            make=lambda _session, _choices: ready.edit,
            note=lambda _session, _choices: note,
            needs_selection=False,
            ready=ready,
            done=lambda: desk.notice.say(said()),
        )
        desk.construction.open(shown)

    desk.construction.previewing.prepare(title, make, show)


def _touched(design: Design, edit: Edit) -> frozenset[str]:
    """The devices and racks that an edit is about, as far as they are there."""
    found: set[str] = set()
    for change in edit.changes:
        for one in (change.before, change.after):
            if isinstance(one, Link):
                found |= {one.a.device_id, one.b.device_id}
            elif one is not None:
                found.add(one.device_id if isinstance(one, Module) else one.id)
    return frozenset(one for one in found if one in design.devices or one in design.racks)


def _fix_all(desk: Desk, what: str, codes: frozenset[str] | None) -> None:
    validation, said = desk.session.workbench.validation, list[str]()
    report, known = validation.report, validation.known()

    def make(design: Design, progress: Callable[[float], None]) -> Edit:
        made = fixing.fixed(design, codes, progress, known)
        if not made.fixes:
            raise EditError(made.sentence)
        said.append(f"{made.sentence}. {_ratios(design, made.edit)}".strip())
        return made.edit  # type: ignore[no-any-return]

    n_things = len(report.findings) * len(desk.session.design.links) if report is not None else 0
    desk.session.large_edits.attempt_long(what, n_things, make, lambda _edit: desk.notice.say(said[-1]))


def waive(desk: Desk) -> None:
    """Ask why the selected findings are accepted; take the waiver back where they are."""
    findings = desk.docks.findings.chosen_findings()
    waived = {one.waiver.id for one in findings if one.waiver is not None}
    if findings and all(one.waiver is not None for one in findings):
        if desk.session.attempt(lambda: waiving.withdraw(desk.session.design, sorted(waived))):
            desk.notice.say(
                f"{format_counted(len(waived), 'waiver')} withdrawn. Findings that it accepted are open again."
            )
    elif findings:
        desk.dialogs.show("waive")
        cast(Any, desk.dialogs["waive"]).take(findings)


def show_policy(desk: Desk) -> None:
    """Show what the design is checked against."""
    desk.dialogs.show("policy")
    cast(Any, desk.dialogs["policy"]).begin()


@needs("Select a finding in the Findings panel.")
def has_chosen_findings(desk: Desk) -> bool:
    """Whether findings are selected in the panel, and the design has not changed since the check."""
    return bool(desk.docks.findings.chosen_findings()) and desk.session.workbench.validation.is_current


@needs("No finding has a fix.")
def has_fixes(desk: Desk) -> bool:
    """Whether any open finding offers a fix, and the design has not changed since the check."""
    validation = desk.session.workbench.validation
    report = validation.report
    return report is not None and validation.is_current and any(one.fix is not None for one in report.open)


@needs("There are no findings.")
def has_findings(desk: Desk) -> bool:
    """Whether the last check found anything."""
    report = desk.session.workbench.validation.report
    return report is not None and bool(report.findings)


@needs("Select a finding that has a fix.")
def has_fix(desk: Desk) -> bool:
    """Whether the current finding offers a fix and the design has not changed since the check."""
    finding = desk.docks.findings.current_finding()
    validation = desk.session.workbench.validation
    is_open = (
        finding is not None and finding.waiver is None and (finding.fix is not None or bool(validation.fixes.known))
    )
    return is_open and validation.is_current


def _group(name: str) -> Callable[[Desk], None]:
    return lambda desk: desk.docks.findings.group(name)


def _is_grouped(name: str) -> Callable[[Desk], bool]:
    return lambda desk: desk.docks.findings.grouping.name == name


GROUP_ROWS = tuple(
    ActionRow(
        f"check.group_{one.name}",
        "Do Not Group Findings" if one.name == NONE else f"Group Findings by {one.title}",
        "",
        "",
        run=_group(one.name),
        menu=CHECK,
        checked=_is_grouped(one.name),
    )
    for one in GROUPINGS
)

ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "check.now",
        "Check All",
        "F7",
        "validate",
        has_devices,
        check_now,
        CHECK,
        hint="Check the whole design, devices under construction included",
    ),
    ActionRow("check.next", "Next Finding", "F8", "", has_findings, next_finding, CHECK),
    ActionRow("check.previous", "Previous Finding", "Shift+F8", "", has_findings, previous_finding, CHECK),
    ActionRow("check.fix", "Apply Fix", "Ctrl+.", "fix", has_fix, apply_fix, CHECK),
    ActionRow(
        "check.preview",
        "Preview Fix",
        "Shift+F7",
        "",
        has_fix,
        preview_fix,
        CHECK,
        hint="Show on the canvas what the fix would add, remove and move",
    ),
    ActionRow(
        "check.preview_alike",
        "Preview Fixes of This Rule",
        "Ctrl+F7",
        "",
        has_fix,
        preview_alike,
        CHECK,
        hint="Show on the canvas what the fixes of all findings of the rule would do together",
    ),
    ActionRow(
        "check.preview_all",
        "Preview All Fixes",
        "Ctrl+Shift+F7",
        "",
        has_fixes,
        preview_everything,
        CHECK,
        hint="Show on the canvas what all fixes that raise no new error or warning would do together",
    ),
    ActionRow(
        "check.fix_alike",
        "Fix All of This Rule",
        "",
        "",
        has_fix,
        fix_alike,
        CHECK,
        hint="Apply the fixes of all findings of the rule, one after the other, as one edit",
    ),
    ActionRow(
        "check.fix_all",
        "Fix All",
        "Ctrl+Alt+.",
        "",
        has_fixes,
        fix_everything,
        CHECK,
        hint="Apply every fix that raises no new error or warning, as one edit",
    ),
    ActionRow(
        "check.waive",
        "Waive…",
        "",
        "",
        has_chosen_findings,
        waive,
        CHECK,
        hint="Accept the selected findings with a reason, or withdraw their waiver",
    ),
    ActionRow(
        "check.policy",
        "Policy…",
        "",
        "",
        run=show_policy,
        menu=CHECK,
        hint="Limits, severities and rules that the design is checked against",
    ),
    *GROUP_ROWS,
)
