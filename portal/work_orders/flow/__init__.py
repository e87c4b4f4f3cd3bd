"""The questions of the three flows: `repair`, `service` and `claim`."""
