"""What the slice stores. The tables are made by `manage.py migrate --run-syncdb`, as there is no history to keep."""

from django.db import models


class Customer(models.Model):
    """Somebody who may log in."""

    email = models.EmailField(unique=True)
    first_name = models.CharField(max_length=60)


class Order(models.Model):
    """An order; `more` counts the articles beside the one that is named."""

    customer = models.ForeignKey(Customer, on_delete=models.CASCADE, related_name="orders")
    number = models.CharField(max_length=20, unique=True)
    day = models.DateField(db_index=True)
    total = models.DecimalField(max_digits=10, decimal_places=2)
    name = models.CharField(max_length=120)
    more = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=20)
    status = models.CharField(max_length=40)
    payment = models.CharField(max_length=20)


class Case(models.Model):
    """Something that is going on: a request or a delivery."""

    customer = models.ForeignKey(Customer, on_delete=models.CASCADE, related_name="cases")
    kind = models.CharField(max_length=20)
    reference = models.CharField(max_length=20)
    name = models.CharField(max_length=120)
    status = models.CharField(max_length=40)
    label = models.CharField(max_length=60)
    meaning = models.CharField(max_length=200)
    since = models.DateField()
    partner = models.CharField(max_length=60)


class Action(models.Model):
    """What a customer may do now, or the reason why not."""

    customer = models.ForeignKey(Customer, on_delete=models.CASCADE, related_name="actions")
    feature = models.CharField(max_length=40)
    reason = models.CharField(max_length=40)
    until = models.DateField(null=True)


class Draft(models.Model):
    """The answers of a request that was begun; `version` grows with each save."""

    customer = models.OneToOneField(Customer, on_delete=models.CASCADE)
    answers = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
