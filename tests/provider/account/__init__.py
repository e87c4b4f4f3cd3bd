"""Tests of the account: data, orders, invoices, bikes, requests, dashboard, demonstration."""
