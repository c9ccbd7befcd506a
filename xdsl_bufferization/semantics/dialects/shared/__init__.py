"""What the ops of several dialects have in common."""
