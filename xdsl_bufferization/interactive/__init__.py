"""
The command `xdsl-bufferization-gui`: xDSL's terminal interface with the passes of all
packages.

`command.py` reads the arguments, `app.py` is the application, `options_screen.py` the
screen for the options of a pass.

Needs textual and pyclip: `pip install 'xdsl-bufferization[gui]'`.
"""
