"""A dialect for signal processing, and how its ops bufferize."""
