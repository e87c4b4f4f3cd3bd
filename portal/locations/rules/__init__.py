"""Rules of locations: distance, order, labels, handovers; lookup of postcodes and places."""
