"""Which section of the guide belongs to what the user is doing: the part of the window in use, or what is selected."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from designer.late import Late
from designer.model.design import Design
from designer.model.entities import Group, Link, PlacedJob, Rack
from designer.windows.guide.pages import PAGES, sections

families = Late("designer.topologies.families")

OF_WIDGETS = {
    "PalettePanel": "draw#add-devices-by-hand",
    "FindingsPanel": "check#read-a-finding",
    "ManyFields": "draw#edit-many-at-once",
    "OwnFields": "draw#tags-and-fields-of-your-own",
    "PolicyDialog": "check#set-the-limits-of-the-design",
    "WaiveDialog": "check#accept-a-finding",
    "DesignPage": "check#set-the-limits-of-the-design",
    "SimulationPanel": "simulation#find-the-hot-link",
    "ConstantsRow": "models#where-the-constants-come-from",
    "TablesRow": "opensm#let-opensm-route-a-design",
    "FlowsOnLinkList": "simulation#find-out-why-a-link-is-hot",
    "Victims": "simulation#see-where-congestion-spreads",
    "TablesPanel": "draw#find-your-way",
    "ComparisonPanel": "hand-over#compare-two-designs",
    "FailuresPanel": "simulation#find-the-failure-that-hurts-most",
    "RunsStudy": "simulation#compare-two-routings-algorithms-or-designs",
    "CurveStudy": "simulation#see-bandwidth-by-message-size",
    "TimelineStudy": "simulation#step-through-the-phases-of-a-collective",
    "TierStudy": "simulation#find-the-hot-link",
    "JobsStudy": "simulation#run-several-jobs-at-once",
    "TrainingDialog": "simulation#estimate-a-training-step",
    "MappingDialog": "simulation#find-the-best-mapping-of-a-job",
    "ExploreDialog": "explore#search-in-the-window",
    "InferenceDialog": "simulation#bound-inference",
    "QueuesDialog": "queues#see-the-queues-of-a-design",
    "GenerateDialog": "fabrics",
    "MergeDialog": "merge#merge-in-the-window",
    "RegenerateDialog": "draw#generate-a-fabric",
    "RenameDialog": "draw#rename-many",
    "NetworksDialog": "draw#add-storage-and-management-networks",
    "CatalogDialog": "draw#add-devices-by-hand",
    "OwnTypeDialog": "draw#add-devices-by-hand",
    "ImportDialog": "import",
    "ExportDialog": "hand-over#choose-what-to-export",
    "PhasesDialog": "growth#state-the-phases",
    "CostTermsDialog": "hand-over#add-up-cost-and-power",
    "RoomDialog": "hand-over#place-racks-in-the-room",
    "RecordDialog": "hand-over#record-a-revision",
    "AcceptanceDialog": "hand-over#accept-what-was-built",
    "PackDialog": "hand-over#pack-everything",
    "HandOverDialog": "hand-over#close-what-is-open",
    "SettingsDialog": "simulation#memory-limit",
    "FloorView": "hand-over#place-racks-in-the-room",
    "LookView": "draw#two-designs-next-to-each-other",
    "MatrixView": "simulation#read-dense-tiers-as-a-matrix",
    "ElevationView": "hand-over#place-racks-in-the-room",
}
"""By the name of a widget's class; a widget inside has the topic of the widget around it."""

OF_SELECTED: tuple[tuple[type, str], ...] = (
    (Link, "draw#connect-devices"),
    (Rack, "hand-over#place-racks-in-the-room"),
    (Group, "draw#build-rails-rings-and-groups"),
    (PlacedJob, "simulation#run-several-jobs-at-once"),
)


def of_widget(widget: QWidget | None) -> str:
    """The topic of the widget with the keyboard focus, or of the nearest around it that has one; "" for none."""
    while widget is not None:
        for name, topic_of in OF_PROPERTIES:
            if widget.property(name):
                return topic_of(str(widget.property(name)))
        name = type(widget).__name__
        if name in OF_WIDGETS:
            return OF_WIDGETS[name]
        widget = widget.parentWidget()
    return ""


def of_selection(design: Design, ids: frozenset[str], *, is_simulated: bool) -> str:
    """The topic of what is selected on the canvas; the first page where nothing is."""
    if not ids:
        return PAGES[0]
    subjects = [design.entity(one) for one in sorted(ids)]
    for kind, topic in OF_SELECTED:
        if any(isinstance(one, kind) for one in subjects):
            return "simulation#find-out-why-a-link-is-hot" if kind is Link and is_simulated else topic
    return "draw#connect-devices"


def of_rule(code: str) -> str:
    """The topic of a rule of the validation; that of findings for a rule of a plug-in."""
    of_rules = (one for one in sections() if one.page == "rules" and one.title.startswith(f"{code}:"))
    found = next(of_rules, None)
    return f"rules#{found.anchor}" if found is not None else "check#read-a-finding"


def of_family(name: str) -> str:
    """The topic of a topology family; the page of all of them for that of a plug-in."""
    title = next((family.title for family in families.FAMILIES if family.name == name), "")
    found = next((one for one in sections() if one.page == "fabrics" and one.title == title), None)
    return f"fabrics#{found.anchor}" if found is not None else "fabrics"


OF_PROPERTIES: tuple[tuple[str, Callable[[str], str]], ...] = (("rule", of_rule), ("family", of_family))
"""A widget whose topic changes says by these properties which rule or family it shows."""
