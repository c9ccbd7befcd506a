"""What the ops of each dialect do, one file a dialect."""
