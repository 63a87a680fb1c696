"""What the driver refuses, by results put in the place of its own."""
