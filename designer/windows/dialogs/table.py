"""The dialogs of a window by name, each loaded when it is first shown, so that the window is up soon."""

from PySide6.QtWidgets import QDialog

from designer.late import load
from designer.windows.desk import Desk

DIALOGS = {
    "generate": "designer.windows.dialogs.generate:GenerateDialog",
    "import": "designer.windows.importing.dialog:ImportDialog",
    "export": "designer.windows.export.dialog:ExportDialog",
    "regenerate": "designer.windows.dialogs.regenerate:RegenerateDialog",
    "merge": "designer.windows.dialogs.merge:MergeDialog",
    "rename": "designer.windows.dialogs.rename:RenameDialog",
    "networks": "designer.windows.dialogs.networks:NetworksDialog",
    "hand_over": "designer.windows.dialogs.hand_over:HandOverDialog",
    "room": "designer.windows.dialogs.room:RoomDialog",
    "phases": "designer.windows.dialogs.phases:PhasesDialog",
    "cost": "designer.windows.dialogs.cost_terms:CostTermsDialog",
    "catalog": "designer.windows.dialogs.catalog:CatalogDialog",
    "explore": "designer.windows.exploring.dialog:ExploreDialog",
    "inference": "designer.windows.dialogs.inference:InferenceDialog",
    "queues": "designer.windows.dialogs.queues:QueuesDialog",
    "mapping": "designer.windows.dialogs.mapping:MappingDialog",
    "acceptance": "designer.windows.dialogs.acceptance:AcceptanceDialog",
    "training": "designer.windows.dialogs.training:TrainingDialog",
    "record": "designer.windows.dialogs.pack:RecordDialog",
    "pack": "designer.windows.dialogs.pack:PackDialog",
    "settings": "designer.windows.dialogs.settings:SettingsDialog",
    "guide": "designer.windows.guide.window:GuideWindow",
    "shortcuts": "designer.windows.dialogs.shortcuts:ShortcutsDialog",
    "waive": "designer.windows.dialogs.waive:WaiveDialog",
    "policy": "designer.windows.dialogs.policy:PolicyDialog",
    "about": "designer.windows.dialogs.about:AboutDialog",
}


def make(desk: Desk, name: str) -> QDialog:
    """The dialog of that name, not shown yet."""
    dialog: QDialog = load(DIALOGS[name])(desk)
    return dialog
