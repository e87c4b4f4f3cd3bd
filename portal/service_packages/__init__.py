"""Service packages: a monthly price for the maintenance of a bike, for which services cost less."""
