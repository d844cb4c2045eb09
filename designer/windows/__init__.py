"""The application and its shell: main window, tables of actions and menus, dialogs."""
