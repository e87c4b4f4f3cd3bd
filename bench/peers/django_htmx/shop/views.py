"""The pages of the slice."""

import secrets
from collections.abc import Callable
from functools import wraps

from django.core.mail import send_mail
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from shop.forms import LEAST, CodeForm, CodeRequestForm, DamageForm
from shop.models import Customer, Draft
from shop.texts import TEXTS, badge

SHOWN_CASES = 4


def for_customers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view for somebody who is logged in; others go to the login."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        customer = Customer.objects.filter(pk=request.session.get("customer")).first()
        return view(request, customer) if customer else redirect("login")

    return guarded


@require_http_methods(["GET", "POST"])
def login(request: HttpRequest) -> HttpResponse:
    """Ask for a code. The answer is the same whether the customer is known or not."""
    if request.method == "GET":
        return render(request, "login.html", {"form": CodeRequestForm()})
    form = CodeRequestForm(request.POST)
    if not form.is_valid():
        return render(request, "login.html", {"form": form})
    code = f"{secrets.randbelow(10**6):06}"
    known = Customer.objects.filter(
        email__iexact=form.cleaned_data["email"], orders__number=form.cleaned_data["order_number"]
    ).first()
    request.session["login"] = {"code": code, "customer": known.pk if known else None}
    if known:
        send_mail("Je inlogcode", f"Je inlogcode is {code}", None, [known.email])
    return redirect("code")


@require_http_methods(["GET", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """Check the code and begin the session."""
    form = CodeForm(request.POST or None)
    pending = request.session.get("login") or {}
    if form.is_valid() and pending.get("customer"):
        if secrets.compare_digest(pending["code"], form.cleaned_data["code"]):
            request.session.cycle_key()
            request.session["customer"] = pending["customer"]
            del request.session["login"]
            return redirect("dashboard")
        form.add_error("code", "Deze code klopt niet.")
    return render(request, "code.html", {"form": form})


@require_POST
def logout(request: HttpRequest) -> HttpResponse:
    """End the session."""
    request.session.flush()
    return redirect("login")


@require_GET
@for_customers
def dashboard(request: HttpRequest, customer: Customer) -> HttpResponse:
    """What is going on, and what can be done."""
    cases = [
        {
            "case": case,
            "badge": {"text": case.label, "tone": "info"} if case.label else badge(TEXTS["statuses"], case.status),
            "kind": TEXTS["kinds"].get(case.kind, ""),
        }
        for case in customer.cases.order_by("-since", "id")
    ]
    actions = {action.feature: action for action in customer.actions.all()}
    tiles = [
        {
            **tile,
            "reason": TEXTS["reasons"].get(actions[tile["feature"]].reason),
            "until": actions[tile["feature"]].until,
        }
        for tile in TEXTS["tiles"]
        if tile["feature"] in actions
    ]
    return render(
        request,
        "dashboard.html",
        {
            "customer": customer,
            "first": cases[0] if cases else None,
            "cases": cases[1:SHOWN_CASES],
            "further": max(0, len(cases) - SHOWN_CASES),
            "now": [tile for tile in tiles if tile["group"] == "now"],
            "delivery": [tile for tile in tiles if tile["group"] == "delivery"],
        },
    )


@require_GET
@for_customers
def orders(request: HttpRequest, customer: Customer) -> HttpResponse:
    """All orders, the newest first."""
    rows = [
        {
            "order": order,
            "drawing": TEXTS["drawings"][order.kind],
            "badges": [
                found
                for found in (badge(TEXTS["statuses"], order.status), badge(TEXTS["payments"], order.payment))
                if found
            ],
        }
        for order in customer.orders.order_by("-day")
    ]
    return render(request, "orders.html", {"rows": rows})


@require_http_methods(["GET", "POST"])
@for_customers
def damage(request: HttpRequest, customer: Customer) -> HttpResponse:
    """Step 2. Next saves the answers and shows step 3, in the answer to the same request where htmx asked."""
    draft, _ = Draft.objects.get_or_create(customer=customer)
    if request.method == "GET":
        form = DamageForm(initial=draft.answers)
    else:
        form = DamageForm(request.POST)
        if form.is_valid():
            Draft.objects.filter(pk=draft.pk).update(
                answers=draft.answers | form.cleaned_data, version=F("version") + 1
            )
            if not request.htmx:
                return redirect("maintenance")
            answer = render(request, "maintenance.html")
            answer["HX-Push-Url"] = "/repair-request/step-3"
            return answer
    parts = [
        {
            "code": part,
            "label": label,
            "chosen": part in (form["parts"].value() or ()),
            "details": form[f"details_{part}"],
        }
        for part, label in TEXTS["parts"].items()
    ]
    return render(request, "damage.html", {"form": form, "parts": parts, "least": LEAST})


@require_GET
@for_customers
def maintenance(request: HttpRequest, customer: Customer) -> HttpResponse:  # noqa: ARG001 - only for customers
    """Step 3."""
    return render(request, "maintenance.html")
