"""What an op must answer to take part in bufferization; one interface a file."""
