"""How fast the matrix is: made, recolored, and frames while panning and zooming over 1,024 x 1,024 cells.

    python tests/benchmarks/matrix_speed.py

Prints medians in milliseconds.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp()
if not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np  # noqa: E402
from PySide6.QtGui import QImage  # noqa: E402

from designer.canvas.fabric import Fabric  # noqa: E402
from designer.canvas.matrix.view import MatrixView  # noqa: E402
from designer.catalog.catalog import load  # noqa: E402
from designer.drawing.heat import Heat  # noqa: E402
from designer.graph.link_loads import LinkLoads  # noqa: E402
from designer.model.design import Design  # noqa: E402
from designer.session.session import Session  # noqa: E402
from designer.topologies import pgft  # noqa: E402
from designer.windows.application import make_application  # noqa: E402

REPEATS = 31
SIZES = {"8,192 hosts": ((32, 16, 16), (1, 16, 16)), "65,536 hosts": ((64, 32, 32), (1, 32, 32))}


def clock(action: Callable[[], object]) -> float:
    """Milliseconds of an action."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1e3


def main() -> int:
    make_application(sys.argv)
    catalog = load()
    for title, (children, parents) in SIZES.items():
        design = Design()
        design.apply(pgft.build(design, pgft.PgftParameters(children, parents), catalog))
        session = Session(catalog)
        session.replace(design, None)
        fabric = Fabric(session)
        view = MatrixView(session, fabric)
        view.resize(1600, 900)
        made = clock(lambda view=view: view.cells.matrix)
        matrix = view.cells.matrix
        assert matrix is not None
        print(f"{title}: {matrix.shape[0]:,} x {matrix.shape[1]:,} cells, made in {made:.0f} ms")
        random = np.random.default_rng(1)
        heats = [
            Heat(design.revision, LinkLoads(matrix.link_ids, random.random((len(matrix.link_ids), 2))))
            for _ in range(3)
        ]
        for heat in heats:
            heat.draw_up()
        image = QImage(view.size(), QImage.Format.Format_RGB32)

        def paint(view: MatrixView = view, image: QImage = image) -> None:
            view.render(image)

        def recolour(number: int, fabric: Fabric = fabric, heats: list[Heat] = heats) -> None:
            fabric._heat = heats[number % 3]
            paint()

        def pan(number: int, view: MatrixView = view) -> None:
            view.move_camera(view.camera.moved(7.0 if number % 2 else -7.0, 3.0))
            paint()

        def zoom(number: int, view: MatrixView = view) -> None:
            view.move_camera(view.camera.zoomed(1.1 if number % 2 else 1 / 1.1, 700, 500))
            paint()

        for where, scale in (("fit", 0.0), ("1 px", 1 / 24), ("6 px", 0.25), ("40 px", 40 / 24)):
            view.zoom_to_fit()
            if scale:
                view.zoom_by(scale / view.camera.scale)
            paint()
            for name, action in (("pan", pan), ("zoom", zoom), ("recolour", recolour)):
                took = [clock(lambda n=n, act=action: act(n)) for n in range(REPEATS)]
                print(f"  {where:6}{name:9} {statistics.median(took):6.1f} ms (most {max(took):.1f})")
        session.undo_stack.setClean()
        session.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
