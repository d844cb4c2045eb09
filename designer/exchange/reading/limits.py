"""What a file of another tool may hold at most: beyond any cluster, and little enough to be read in seconds."""

from designer.exchange.reading.found import ImportFailure
from designer.units import format_count, shortened

MOST_BYTES = 256 * 10**6
"""Of a file."""
MOST_UNPACKED_BYTES = 512 * 10**6
"""Of all members of an archive together, as they are read."""
MOST_RATIO = 200
"""How many times its packed size a member of an archive may have, from SMALL_BYTES on; real sheets reach about 40."""
SMALL_BYTES = 10**7
MOST_MEMBERS = 20_000
"""Members of an archive, and files of a folder."""
MOST_ROWS = 1_000_000
"""Of one sheet."""
MOST_COLUMNS = 1000
MOST_CELLS = 30_000_000
"""Of all sheets together."""
LONGEST_TEXT = 32_767
"""Characters of a cell, as spreadsheets allow."""
LONGEST_PORT = 100
"""Characters of a port's name, as a design allows."""
MOST_DEPTH = 200
"""Of elements and lists in one another."""
MOST_ELEMENTS = 5_000_000
"""Elements of an XML file."""
MOST_NODES = 200_000
MOST_LINKS = 1_000_000
MOST_LISTED = 1000
"""Guesses, and things not understood, that are listed one by one."""
MOST_UNREAD = 50_000
"""Places that are not understood, or repeat others, after which a file that holds little else is given up."""
MOST_UNLINKED = 20_000
"""Nodes without a single link after which a list that has the links of each node with it is given up."""
MOST_PORTS = 20_000
"""Of one node: far more than any chassis has."""


def check_size(n_nodes: int, n_links: int, file: str, what: str = "nodes") -> None:
    """Raises ImportFailure where a network is larger than any."""
    for count, most, word in ((n_nodes, MOST_NODES, what), (n_links, MOST_LINKS, "links")):
        if count > most:
            raise ImportFailure(f"{file} has more than {format_count(most)} {word}: import it in parts")


def too_many_ports(file: str, node: str) -> str:
    """Why a network with such a node is not imported."""
    return f"{file}: {shortened(node)} has more than {format_count(MOST_PORTS)} ports, and no device has so many"
