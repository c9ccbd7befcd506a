"""
Facts about a program on tensors: all that holds whichever operands are in place.

Nothing here depends on a decision, with one exception: some questions take the
equivalences known so far as an argument, which decisions only ever add to. The IR must
not change while facts about it are in use.

To be read in this order:

- `records.py`: one record for each region, op, tensor operand and tensor. Records compare
  by identity, so they are keys of dictionaries. Ops are ordered by *position*
  (`OpInfo.enter`). Also the blocks of a region with several, and what runs between two of its
  points.
- `numbering.py`: positions, which leave room for ops that are added later; and the tensors that
  can share memory, whatever is decided, which have to be decided again when one of them changes.
- `program.py`: fills the records in three walks, and again where the program has changed.
  It finds where contents come from, too, and `memrefs.py` adds records of memrefs through
  which tensors are read. It notes what models ask.
- `live_ranges.py`: for each read, the positions at which a write would destroy what is
  read; sorted by their start, and named by their rank in that order.
- `origins.py`: for each tensor the tensors whose memory it may have; models are asked again once
  more is known.
- `overlaps.py`: the one door to all facts about a read and a write in the same memory, which do
  not conflict if they are of other elements or in a harmless order. It asks
  `tiles.py` about loops, and `slices.py` about parts of tensors.
"""
