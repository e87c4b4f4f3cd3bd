"""Confirmations of requests: mail, PDF and appointment. One mechanism for every flow."""
