"""What the window loads when it is first used, so that it is up soon: where each stands, as text."""

DIALOGS = {
    "generate": "designer.windows.dialogs.generate:GenerateDialog",
    "regenerate": "designer.windows.dialogs.regenerate:RegenerateDialog",
    "networks": "designer.windows.dialogs.networks:NetworksDialog",
    "room": "designer.windows.dialogs.room:RoomDialog",
    "catalog": "designer.windows.dialogs.catalog:CatalogDialog",
    "training": "designer.windows.dialogs.training:TrainingDialog",
    "settings": "designer.windows.dialogs.settings:SettingsDialog",
    "guide": "designer.windows.guide.window:GuideWindow",
    "shortcuts": "designer.windows.dialogs.shortcuts:ShortcutsDialog",
    "about": "designer.windows.dialogs.about:AboutDialog",
}
"""Each a class that takes a Desk."""

WARM_UP = "designer.simulation.warm_up:warm_up"
PLUGIN_CHECK = "designer.windows.shell.plugin_check:check"
