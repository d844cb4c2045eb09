"""Device types and hardware types: any of the records of this room."""

from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType

DeviceType = SwitchType | ServerType
HardwareType = SwitchType | ServerType | NicType | LineCardType | RackType | MediumType
