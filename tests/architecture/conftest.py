"""The sources of the program, parsed once for all tests of how it is built."""

import figures
import pytest


@pytest.fixture(scope="package")
def modules() -> list[figures.Module]:
    return figures.modules_of(figures.ROOT)
