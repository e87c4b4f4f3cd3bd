"""The data of the dashboard and of the page of one bike, with its timeline."""
