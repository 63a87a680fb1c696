"""Running dispatches: encoded steps, submissions of them, futures and results."""
