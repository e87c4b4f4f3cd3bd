"""Requests that are confirmed by a mailed link, one desk for each purpose."""
