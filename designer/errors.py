"""The one tree of errors. Every message names the thing and says what to do about it."""


class DesignerError(Exception):
    """Something the user asked for cannot be done; the message is one sentence fit to show."""


class EditError(DesignerError, ValueError):
    """An edit does not fit the design it is applied to; the design is unchanged."""


class UnknownEntityError(DesignerError, KeyError):
    """A name or id stands for nothing in the design or the catalog."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class PortError(DesignerError, ValueError):
    """A port cannot take the link: it does not exist, is in use, or does not match its partner."""


class PortInUseError(PortError):
    """The port already carries a link."""


class PortMismatchError(PortError):
    """The two ports differ in rate, protocol or form factor so that no cable joins them."""


class NoFreePortError(PortError):
    """The port budget of a device is spent."""


class SlotError(DesignerError, ValueError):
    """A NIC does not fit: no such slot, the slot is taken, or none is free."""


class ParameterError(DesignerError, ValueError):
    """A generator or a command was given parameters that cannot be built."""


class FileFormatError(DesignerError, ValueError):
    """A file cannot be read as what it claims to be; nothing of it was loaded."""


class CatalogError(DesignerError, ValueError):
    """A catalog file holds a fact that cannot be read."""


class GraphError(DesignerError, ValueError):
    """The question makes no sense on this graph (no endpoints, unreachable ranks, ...)."""


class PartsError(GraphError):
    """Ranks are in parts of the fabric that nothing joins; the largest part can be run by itself."""


class ExportError(DesignerError, ValueError):
    """The hand-over file cannot be written as asked."""


class PluginError(DesignerError, ValueError):
    """A plug-in cannot be used, or did something that no plug-in may."""


class Cancelled(DesignerError):
    """The user cancelled a long computation."""


def sentence(message: str) -> str:
    """The message as windows show it: a capital and a full stop; a name or a letter at its beginning stays as it is."""
    first = message.partition(" ")[0].rstrip(",:;")
    if first.isalpha() and (len(first) > 1 or first == "a"):
        message = message[0].upper() + message[1:]
    return message if not message or message[-1] in ".!?…" else f"{message}."


def missing_package(error: ImportError) -> str:
    """The sentence for a package that is not installed or does not load; "" where the fault is the program's own."""
    package = (error.name or "").partition(".")[0]
    if package in ("", "designer"):
        return ""
    return (
        f"{package} cannot be loaded here ({error}): set the program up with packaging/run, or install it with "
        "python -m pip install ."
    )
