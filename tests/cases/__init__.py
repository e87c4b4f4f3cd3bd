"""Tests of the queue and of the work on cases."""
