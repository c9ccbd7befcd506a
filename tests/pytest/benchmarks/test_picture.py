"""The picture of the README is the one that is drawn today."""

from xml.etree import ElementTree

import pytest

from benchmarks.picture import PICTURE, picture, rounded
from tests.environments import PROJECT


def test_the_picture_of_the_readme_is_up_to_date():
    drawn = picture()
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    # `python -m benchmarks.picture` writes it.
    assert drawn == PICTURE.read_text()
    assert f"]({PICTURE.relative_to(PROJECT)})" in (PROJECT / "README.md").read_text()


@pytest.mark.parametrize(
    "size, text",
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1 kB"),
        (1234, "1.23 kB"),
        (150_000, "150 kB"),
        (3_928_640, "3.93 MB"),
        (2_500_000_000, "2.5 GB"),
    ],
)
def test_rounded_sizes(size: int, text: str):
    assert rounded(size) == text
