"""Driver failures, simulated by replacing the driver's results."""
