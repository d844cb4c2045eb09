"""XML of strangers as elements, without document types and entities, and only so deep and so many."""

from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from designer.exchange.reading.found import ImportFailure
from designer.exchange.reading.limits import MOST_DEPTH, MOST_ELEMENTS

LINE = "\0line"
"""An attribute that no file can have: the line that an element begins in, where lines are wanted."""


class _Builder:
    """Elements from what a parser reports, counted."""

    def __init__(self, name: str, parser: expat.XMLParserType | None) -> None:
        self._name, self._parser = name, parser
        self._tree = TreeBuilder()
        self._depth = self._count = 0

    def refuse(self, *_stated: object) -> None:
        """Entities could grow without end or read files of the machine."""
        raise ImportFailure(f"{self._name} defines XML entities: remove its DOCTYPE and import it again")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        self._depth += 1
        self._count += 1
        if self._depth > MOST_DEPTH:
            raise ImportFailure(f"{self._name} nests elements more than {MOST_DEPTH} deep: it cannot be imported")
        if self._count > MOST_ELEMENTS:
            raise ImportFailure(f"{self._name} has more than {MOST_ELEMENTS:,} elements: import it in parts")
        made = {_named(key): value for key, value in attributes.items()}
        if self._parser is not None:
            made[LINE] = str(self._parser.CurrentLineNumber)
        self._tree.start(_named(tag), made)

    def end(self, tag: str) -> None:
        """An element ends."""
        self._depth -= 1
        self._tree.end(_named(tag))

    def data(self, text: str) -> None:
        """Text between elements."""
        self._tree.data(text)

    def close(self) -> Element:
        """The root."""
        return self._tree.close()


def _named(tag: str) -> str:
    """ "{namespace}tag", as ElementTree writes names."""
    return f"{{{tag}" if "}" in tag else tag


def parse_xml(data: bytes, name: str, *, has_lines: bool = False) -> Element:
    """The root element of a file's bytes; with lines, elements have an attribute LINE.

    Raises ImportFailure, which names the file and the line.
    """
    parser = expat.ParserCreate(namespace_separator="}")
    builder = _Builder(name, parser if has_lines else None)
    parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
    parser.CharacterDataHandler, parser.buffer_text = builder.data, True
    parser.EntityDeclHandler = parser.ExternalEntityRefHandler = builder.refuse  # type: ignore[assignment]
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        fault = expat.ErrorString(error.code)
        raise ImportFailure(f"{name}, line {error.lineno}, cannot be read as XML: {fault}") from None
    except (ValueError, LookupError) as error:
        if isinstance(error, ImportFailure):
            raise
        raise ImportFailure(f"{name} cannot be read as XML: its encoding is not known") from None
    return builder.close()
