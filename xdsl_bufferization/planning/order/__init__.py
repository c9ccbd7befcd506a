"""
The order of tasks that needs the least memory at a time.

It knows nothing of IR. Sizes are in bytes.

- `task_graph.py`: tasks, the buffers that they allocate and free, and what orders need;
- `best_order.py`: a search for the least peak, which proves it, in a smaller graph of tasks.
"""
