"""The dashboard, the page of an order and the page of a bike, with their views and states."""
