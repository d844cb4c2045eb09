"""Reading an SVG diagram again: its layers, texts and places; and a small design to draw."""

from designer.catalog.catalog import load
from designer.model import operations
from designer.model.design import Design

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
CATALOG = load()


def layer(root, name):
    return root.find(f".//{SVG}g[@id='{name}']")


def texts(element):
    return [text.text for text in element.iter(f"{SVG}text")]


def rectangle(element):
    return tuple(float(element.get(name, "0")) for name in ("x", "y", "width", "height"))


def frame(root):
    return tuple(map(float, root.get("viewBox").split()))


def pair():
    """Two switches with a link between them."""
    design = Design()
    for x in (0, 300):
        edit = operations.add_device(design, CATALOG.get("nvidia-qm9700"), x, 0, catalog_types=CATALOG.types)
        design.apply(edit)
    design.apply(operations.connect_devices(design, *design.devices, 1))
    return design
