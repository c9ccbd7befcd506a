"""Questions about programs on memrefs: what is the same memory, in use when, freed by whom."""
