"""What panels ask for, and which command or view does it."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt

from designer.late import Late
from designer.panels.findings.panel import FindingsPanel
from designer.panels.inspector.panel import InspectorPanel
from designer.panels.outline import OutlinePanel
from designer.validation.findings import Finding
from designer.windows.commands import adding, bookmark_commands, check_commands, job_commands
from designer.windows.desk import Desk
from designer.windows.guide import topics

exporting = Late("designer.windows.files.exporting")

GOING = ("outline", "inspector", "findings", "simulation", "studies", "failures", "paths", "comparison", "tables")
SAVING = ("simulation", "studies", "failures", "paths", "tables")

Trigger = Callable[[str], object]
"""Does what the action of that id does."""


def follow(desk: Desk, trigger: Trigger) -> None:
    """Connect the panels of a window, those that are not made yet as soon as they are."""
    docks = desk.docks
    docks.palette.type_activated.connect(partial(adding.add_type, desk))
    for name in GOING:
        docks.follow(name, lambda panel: panel.going.connect(desk.views.go_to))
    for name in SAVING:
        docks.follow(name, lambda panel: panel.saving.connect(partial(_save, desk)))
    docks.follow("outline", partial(_follow_outline, desk, trigger))
    docks.follow("inspector", partial(_follow_inspector, desk, trigger))
    docks.follow("findings", partial(_follow_findings, desk, trigger))
    docks.follow("simulation", lambda _panel: _follow_simulation(desk, trigger))
    docks.follow("studies", lambda _panel: _follow_studies(desk, trigger))
    docks.follow("comparison", lambda _panel: _follow_comparison(desk, trigger))


def _save(desk: Desk, title: str, suffix: str, write: object) -> None:
    exporting.save(desk, title, suffix, write)


def _follow_outline(desk: Desk, trigger: Trigger, panel: OutlinePanel) -> None:
    marks = panel.bookmarks
    marks.going.connect(partial(bookmark_commands.go_to, desk))
    marks.updating.connect(partial(bookmark_commands.update, desk))
    marks.adding.connect(lambda: trigger("bookmark.add"))


def _follow_inspector(desk: Desk, trigger: Trigger, panel: InspectorPanel) -> None:
    panel.entered.connect(lambda: desk.views.current.setFocus(Qt.FocusReason.OtherFocusReason))
    panel.restoring.connect(lambda: trigger("simulate.restore"))
    panel.by_hand_wanted.connect(lambda: trigger("file.by_hand"))
    panel.finding_wanted.connect(partial(_show_finding, desk))


def _show_finding(desk: Desk, finding: Finding) -> None:
    desk.docks.show("findings")
    desk.docks.findings.show_finding(finding)


def _follow_findings(desk: Desk, trigger: Trigger, panel: FindingsPanel) -> None:
    panel.rule_wanted.connect(lambda code: desk.dialogs.show_guide(topics.of_rule(code)))
    panel.waiver_wanted.connect(lambda: trigger("check.waive"))
    panel.fixes_wanted.connect(partial(check_commands.fix_alike, desk))
    panel.preview_wanted.connect(partial(check_commands.preview_fix, desk))
    panel.preview_other_wanted.connect(partial(check_commands.preview_fix, desk, 1))
    panel.previews_wanted.connect(partial(check_commands.preview_alike, desk))
    panel.row_changed.connect(partial(check_commands.follow_preview, desk))


def _follow_simulation(desk: Desk, trigger: Trigger) -> None:
    panel = desk.docks.simulation
    panel.study_wanted.connect(trigger)
    panel.run_wanted.connect(lambda: trigger("simulate.run"))
    panel.edit_made.connect(desk.notice.say_of_edit)


def _follow_studies(desk: Desk, trigger: Trigger) -> None:
    panel = desk.docks.studies
    panel.curve.logs_wanted.connect(lambda: trigger("study.measured"))
    jobs = panel.jobs
    jobs.add_wanted.connect(lambda: trigger("job.from_selection"))
    jobs.open_wanted.connect(lambda: trigger("job.open_file"))
    jobs.form.move_wanted.connect(partial(job_commands.move, desk))
    jobs.form.colour_wanted.connect(partial(job_commands.choose_colour, desk))


def _follow_comparison(desk: Desk, trigger: Trigger) -> None:
    panel = desk.docks.comparison
    panel.saving.connect(lambda *given: exporting.save_in_worker(desk, *given))
    panel.file_wanted.connect(lambda: trigger("file.compare"))
    panel.beside_wanted.connect(lambda: trigger("file.compare_beside"))
    panel.taking_over.connect(lambda: trigger("file.take_over_built"))
