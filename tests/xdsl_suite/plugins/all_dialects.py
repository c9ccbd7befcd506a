"""A plugin of pytest: each process has all dialects that it finds, with all repairs."""

from xdsl.universe import Universe

for dialect in Universe.get_multiverse().all_dialects.values():
    dialect()
