"""Files of exports, for the browsers of staff."""

import re
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portal.contract.errors import NotFound
from portal.contract.models import REFERENCE_FORM, Document
from portal.contract.registry import ask
from portal.desk.downloads import download
from portal.exports.api import ExportsApi

PAGE = "/exports"
_FORM = re.compile(REFERENCE_FORM)


def routes() -> list[Route]:
    batch = "/files/refunds/{batch}"
    return [
        Route(f"{batch}.csv", _of_batch(lambda token, batch: ask(ExportsApi).refund_list(token, batch))),
        Route(f"{batch}.xml", _of_batch(lambda token, batch: ask(ExportsApi).refund_payment(token, batch))),
        Route("/files/insurances.csv", _insurances),
    ]


def _of_batch(ask_for: Callable[[str, str], Awaitable[Document]]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        batch = str(request.path_params["batch"])

        async def found(token: str) -> Document:
            if not _FORM.fullmatch(batch):
                raise NotFound
            return await ask_for(token, batch)

        return await download(request, PAGE, found)

    return answer


async def _insurances(request: Request) -> Response:
    return await download(request, PAGE, lambda token: ask(ExportsApi).insurance_list(token))
