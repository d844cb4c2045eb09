"""The table of everything that can be done in the main window."""

from designer.windows.commands.actions import ActionRow
from designer.windows.commands.arrange_commands import ROWS as ARRANGE
from designer.windows.commands.bookmark_commands import ROWS as BOOKMARKS
from designer.windows.commands.build_commands import ROWS as BUILD
from designer.windows.commands.check_commands import ROWS as CHECK
from designer.windows.commands.collapse_commands import ROWS as COLLAPSE
from designer.windows.commands.compare_commands import ROWS as COMPARE
from designer.windows.commands.document_commands import ROWS as DOCUMENT
from designer.windows.commands.edit_commands import ROWS as EDIT
from designer.windows.commands.failure_commands import ROWS as FAILURES
from designer.windows.commands.grid_commands import ROWS as GRID
from designer.windows.commands.hand_over_commands import ROWS as HAND_OVER
from designer.windows.commands.help_commands import ROWS as HELP
from designer.windows.commands.import_commands import ROWS as IMPORT
from designer.windows.commands.insert_commands import ROWS as INSERT
from designer.windows.commands.job_commands import ROWS as JOBS
from designer.windows.commands.look_commands import ROWS as LOOKS
from designer.windows.commands.room_commands import ROWS as ROOM
from designer.windows.commands.routing_commands import ROWS as ROUTING
from designer.windows.commands.select_commands import ROWS as SELECT
from designer.windows.commands.simulation_commands import ROWS as SIMULATION
from designer.windows.commands.study_commands import ROWS as STUDIES
from designer.windows.commands.style_commands import ROWS as STYLES
from designer.windows.commands.transform_commands import ROWS as TRANSFORM
from designer.windows.commands.view_commands import ROWS as VIEW

ACTIONS: tuple[ActionRow, ...] = (
    *DOCUMENT,
    *IMPORT,
    *HAND_OVER,
    *COMPARE,
    *EDIT,
    *SELECT,
    *ARRANGE,
    *TRANSFORM,
    *BUILD,
    *INSERT,
    *STYLES,
    *VIEW,
    *BOOKMARKS,
    *LOOKS,
    *GRID,
    *COLLAPSE,
    *ROOM,
    *SIMULATION,
    *ROUTING,
    *CHECK,
    *FAILURES,
    *STUDIES,
    *JOBS,
    *HELP,
)
