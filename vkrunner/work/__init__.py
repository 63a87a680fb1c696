"""From arguments to results: steps, submissions, futures."""
