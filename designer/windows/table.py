"""The table of everything that can be done in the main window."""

from designer.windows.actions import ActionRow
from designer.windows.arrange_commands import ROWS as ARRANGE
from designer.windows.build_commands import ROWS as BUILD
from designer.windows.document_commands import ROWS as DOCUMENT
from designer.windows.edit_commands import ROWS as EDIT
from designer.windows.failure_commands import ROWS as FAILURES
from designer.windows.help_commands import ROWS as HELP
from designer.windows.job_commands import ROWS as JOBS
from designer.windows.room_commands import ROWS as ROOM
from designer.windows.simulation_commands import ROWS as SIMULATION
from designer.windows.study_commands import ROWS as STUDIES
from designer.windows.view_commands import ROWS as VIEW

ACTIONS: tuple[ActionRow, ...] = (
    *DOCUMENT,
    *EDIT,
    *ARRANGE,
    *BUILD,
    *VIEW,
    *ROOM,
    *SIMULATION,
    *FAILURES,
    *STUDIES,
    *JOBS,
    *HELP,
)
