"""Which locations are near, in what order and at what cost; postcodes and places with their distances."""
