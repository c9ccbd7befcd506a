"""
The command `xdsl-bufferization-gui`: xDSL's terminal interface with the passes of all
packages.

`command.py` reads the arguments, `app.py` is the application.

Needs textual and pyclip: `pip install 'xdsl-bufferization[gui]'`.
"""
