"""The picture of the README is the one that is drawn today."""

from xml.etree import ElementTree

from benchmarks.picture import PICTURE, picture
from tests.environments import PROJECT


def test_the_picture_of_the_readme_is_up_to_date():
    drawn = picture()
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    # `python -m benchmarks.picture` writes it.
    assert drawn == PICTURE.read_text()
    assert f"]({PICTURE.relative_to(PROJECT)})" in (PROJECT / "README.md").read_text()
