"""What the README says of options and of Python is what happens."""

from xdsl.parser import Parser

from tests.documents import Document
from tests.environments import PROJECT
from xdsl_bufferization.support.reading import context_of_all_dialects

README = Document(PROJECT / "README.md")


def test_there_are_commands_to_run():
    assert any("-p bufferize" in command.text for command in README.commands)
    assert any("bufferization-report" in command.text for command in README.commands)


def test_python_block_bufferizes():
    (code,) = (block for block in README.blocks("python") if "bufferize(" in block)
    ctx = context_of_all_dialects()
    program = (PROJECT / "examples" / "mlp.mlir").read_text()
    module = Parser(ctx, program).parse_module()
    assert "tensor<" in str(module)
    exec(code, {"ctx": ctx, "module": module})
    assert "tensor<" not in str(module)
