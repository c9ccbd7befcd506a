"""
Tensor programs changed so that less has to be copied.

`cost` measures what One-Shot Bufferize makes of a program. `rematerialization`,
`insertions` and `inits` are one rewrite each, and `driver` tries them.
"""
