"""
xDSL's terminal interface with the passes of this package.

Needs textual and pyclip: `pip install 'xdsl-bufferization[gui]'`.
"""
