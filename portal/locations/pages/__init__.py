"""The location step of flows, the hand-over of the bike, and the service points of the customer service page."""
