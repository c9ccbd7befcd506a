"""docs/comparison.md has a row for each option, and names each op with a model."""

import dataclasses
import re
from importlib import import_module

from documentation.participants import dialects_with_models
from tests.environments import PROJECT
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass

TEXT = (PROJECT / "docs" / "comparison.md").read_text()


def test_each_option_is_compared():
    rows = set(re.findall(r"^\| `([a-z-]+)` \|", TEXT, flags=re.M))
    options = {
        field.name.replace("_", "-")
        for field in dataclasses.fields(OneShotBufferizePass)
    }
    assert options - rows == set()


def test_each_op_is_compared():
    names = set(re.findall(r"`([a-z_.]+)`", TEXT))
    for dialect in dialects_with_models():
        import_module(f"xdsl_bufferization.models.{dialect}").register()
    models = BufferizableOpInterface._models  # pyright: ignore[reportPrivateUsage] # all
    # Other tests register models of their own.
    ours = {
        key
        for key, model in models.items()
        if type(model).__module__.startswith("xdsl_bufferization.")
        and str(key).partition(".")[0] in dialects_with_models()
    }
    missing = {
        key
        for key in ours
        if isinstance(key, str)
        and not key.endswith("*")
        and key not in names
        and key.split(".", 1)[1] not in names
    }
    assert missing == set()
