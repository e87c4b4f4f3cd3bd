"""Confirmations of requests: mail, paper and appointment."""
