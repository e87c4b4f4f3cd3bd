"""The slice with FastAPI: an API in JSON, and the compiled single page app beside it.

uvicorn api:app                  (the settings come from PEER_DATA_DIR and PEER_SECRET)
python api.py seed FILE          fills the database
"""

import json
import os
import secrets
import sys
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from email.message import EmailMessage
from pathlib import Path
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.middleware.gzip import GZipMiddleware
from pydantic import BaseModel, EmailStr
from pydantic import Field as Bound
from sqlalchemy import event
from sqlmodel import JSON, Column, Field, Session, SQLModel, create_engine, select
from starlette.middleware.sessions import SessionMiddleware
from starlette.responses import FileResponse

DATA_DIR = Path(os.environ["PEER_DATA_DIR"])
SITE = DATA_DIR / "dist"
TEXTS = json.loads((Path(__file__).parents[1] / "texts.json").read_text("utf-8"))
LEAST = 31

engine = create_engine(f"sqlite:///{DATA_DIR / 'shop.db'}")


@event.listens_for(engine, "connect")
def _durable(connection, _record) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")


class Customer(SQLModel, table=True):
    """Somebody who may log in."""

    id: int | None = Field(default=None, primary_key=True)
    email: str = Field(unique=True)
    first_name: str


class OrderFields(SQLModel):
    """An order; `more` counts the articles beside the one that is named."""

    number: str
    day: date
    total: Decimal = Field(max_digits=10, decimal_places=2)
    name: str
    more: int
    kind: str
    status: str
    payment: str


class Order(OrderFields, table=True):
    """An order of a customer."""

    id: int | None = Field(default=None, primary_key=True)
    customer_id: int = Field(foreign_key="customer.id", index=True)


class CaseFields(SQLModel):
    """Something that is going on: a request or a delivery."""

    kind: str
    reference: str
    name: str
    status: str
    label: str
    meaning: str
    since: date
    partner: str


class Case(CaseFields, table=True):
    """A case of a customer."""

    id: int | None = Field(default=None, primary_key=True)
    customer_id: int = Field(foreign_key="customer.id", index=True)


class ActionFields(SQLModel):
    """What a customer may do now, or the reason why not."""

    feature: str
    reason: str
    until: date | None = None


class Action(ActionFields, table=True):
    """An action of a customer."""

    id: int | None = Field(default=None, primary_key=True)
    customer_id: int = Field(foreign_key="customer.id", index=True)


class Draft(SQLModel, table=True):
    """The answers of a request that was begun; `version` grows with each save."""

    customer_id: int = Field(primary_key=True, foreign_key="customer.id")
    answers: dict = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    version: int = 1


class Dashboard(BaseModel):
    """What the dashboard shows."""

    first_name: str
    cases: list[CaseFields]
    actions: list[ActionFields]


class DraftView(BaseModel):
    """A draft as it is shown."""

    answers: dict
    version: int


class CodeRequest(BaseModel):
    """Who wants to log in."""

    order_number: str = Bound(max_length=20)
    email: EmailStr


class Code(BaseModel):
    """The code from the mail."""

    code: str = Bound(pattern=r"^\d{6}$")


class Damage(BaseModel):
    """What is broken, with a story for each part."""

    parts: list[str] = Bound(min_length=1)
    details: dict[str, Annotated[str, Bound(max_length=1000)]]


def opened() -> Iterator[Session]:
    """A database session for one request."""
    with Session(engine) as session:
        yield session


Db = Annotated[Session, Depends(opened)]


def logged_in(request: Request, db: Db) -> Customer:
    """The customer of the session cookie."""
    customer = db.get(Customer, request.session.get("customer", 0))
    if not customer:
        raise HTTPException(401)
    return customer


CurrentCustomer = Annotated[Customer, Depends(logged_in)]

app = FastAPI()
app.add_middleware(SessionMiddleware, secret_key=os.environ["PEER_SECRET"], same_site="lax")
app.add_middleware(GZipMiddleware, minimum_size=500)


@app.post("/api/code", status_code=204)
def ask_for_code(body: CodeRequest, request: Request, db: Db) -> None:
    """Mail a code. The answer is the same whether the customer is known or not."""
    known = db.exec(
        select(Customer).join(Order).where(Customer.email == body.email.lower(), Order.number == body.order_number)
    ).first()
    # The session cookie is signed and can be read, so the code stays here.
    request.session["login"] = number = secrets.token_urlsafe(16)
    if known:
        codes[number] = (f"{secrets.randbelow(10**6):06}", known.id)
        mail = EmailMessage()
        mail["To"], mail["Subject"] = known.email, "Je inlogcode"
        mail.set_content(f"Je inlogcode is {codes[number][0]}")
        (DATA_DIR / "mail").mkdir(exist_ok=True)
        (DATA_DIR / "mail" / f"{number}.eml").write_bytes(bytes(mail))


codes: dict[str, tuple[str, int]] = {}


@app.post("/api/session", status_code=204)
def log_in(body: Code, request: Request) -> None:
    """Check the code and begin the session."""
    code, customer = codes.pop(request.session.pop("login", ""), ("", 0))
    if not secrets.compare_digest(code, body.code):
        raise HTTPException(422, "Deze code klopt niet.")
    request.session["customer"] = customer


@app.delete("/api/session", status_code=204)
def log_out(request: Request) -> None:
    """End the session."""
    request.session.clear()


@app.get("/api/dashboard")
def dashboard(customer: CurrentCustomer, db: Db) -> Dashboard:
    """What is going on, and what can be done."""
    cases = db.exec(select(Case).where(Case.customer_id == customer.id).order_by(Case.since.desc(), Case.id)).all()
    actions = db.exec(select(Action).where(Action.customer_id == customer.id)).all()
    return Dashboard(first_name=customer.first_name, cases=cases, actions=actions)


@app.get("/api/orders")
def orders(customer: CurrentCustomer, db: Db) -> list[OrderFields]:
    """All orders, the newest first."""
    return db.exec(select(Order).where(Order.customer_id == customer.id).order_by(Order.day.desc())).all()


@app.get("/api/draft")
def draft(customer: CurrentCustomer, db: Db) -> DraftView:
    """The draft."""
    return db.get(Draft, customer.id) or DraftView(answers={}, version=0)


@app.put("/api/draft/damage")
def save_damage(body: Damage, customer: CurrentCustomer, db: Db) -> DraftView:
    """Save the answers of step 2. Each part that is chosen needs its story; the others are forgotten."""
    short = [part for part in body.parts if len(body.details.get(part, "")) < LEAST or part not in TEXTS["parts"]]
    if short:
        raise HTTPException(422, {"short": short})
    stored = db.get(Draft, customer.id) or Draft(customer_id=customer.id, version=0)
    stories = {f"details_{part}": body.details[part] for part in body.parts}
    stored.answers = {**stored.answers, "parts": body.parts, **stories}
    stored.version += 1
    db.add(stored)
    db.commit()
    return stored


@app.get("/{path:path}")
def page(path: str, request: Request) -> Response:
    """A file of the single page app, compressed when it was built; any other address is the app itself."""
    file = (SITE / path).resolve()
    if not (path and file.is_relative_to(SITE) and file.is_file()):
        file = SITE / "index.html"
    media = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}.get(file.suffix)
    headers = {"Cache-Control": "public, max-age=31536000, immutable" if "assets" in file.parts else "no-cache"}
    packed = file.with_name(f"{file.name}.br")
    if packed.is_file() and "br" in request.headers.get("accept-encoding", ""):
        return FileResponse(packed, media_type=media, headers={**headers, "Content-Encoding": "br"})
    return FileResponse(file, media_type=media, headers=headers)


def seed(file: Path) -> None:
    """Store the customers of a JSON file with all that is theirs."""
    SQLModel.metadata.create_all(engine)
    with Session(engine) as db:
        for entry in json.loads(file.read_text("utf-8")):
            customer = Customer(email=entry["email"], first_name=entry["first_name"])
            db.add(customer)
            db.flush()
            for model, rows in ((Order, entry["orders"]), (Case, entry["cases"]), (Action, entry["actions"])):
                db.add_all(model.model_validate({**row, "customer_id": customer.id}) for row in rows)
            db.add(Draft(customer_id=customer.id, answers=entry["draft"]))
        db.commit()


if __name__ == "__main__":
    seed(Path(sys.argv[2]))
