"""Fills the database: `python manage.py seed FILE`."""

import json
from pathlib import Path

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from shop.models import Action, Case, Customer, Draft, Order


class Command(BaseCommand):
    """Stores the customers of a JSON file with all that is theirs."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        """The file."""
        parser.add_argument("file", type=Path)

    @transaction.atomic
    def handle(self, *_args, **options) -> None:
        """Store them."""
        for entry in json.loads(options["file"].read_text("utf-8")):
            customer = Customer.objects.create(email=entry["email"], first_name=entry["first_name"])
            for model, rows in ((Order, entry["orders"]), (Case, entry["cases"]), (Action, entry["actions"])):
                model.objects.bulk_create(model(customer=customer, **row) for row in rows)
            Draft.objects.create(customer=customer, answers=entry["draft"])
