"""The pages of work orders: the list, one request, the status of a bike, and the steps of the three flows."""
