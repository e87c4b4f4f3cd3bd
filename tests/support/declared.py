"""The operations that the contract declares, and whether a refusal is declared."""

from collections.abc import Mapping

from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, ProviderError, Refused, Unavailable
from portal.contract.operations import Operation, ParameterPlace, operations_of
from portal.kernel.codes import Code
from portal.provider.api import APIS

API_OF: Mapping[str, type] = {name: api for api in APIS for name in operations_of(api)}
"""The API of every operation, by operation name."""

DECLARED: Mapping[str, Operation] = {name: each for api in APIS for name, each in operations_of(api).items()}
"""Every operation, by name."""

_NOT_WELL_FORMED = {Code.REQUIRED, Code.TOO_LONG, Code.INVALID_INPUT}


def is_declared(operation: Operation, error: ProviderError) -> bool:
    """Whether an operation may raise this error."""
    return _goes_without_saying(operation, error) or _is_declared(operation, error)


def _goes_without_saying(operation: Operation, error: ProviderError) -> bool:
    """Whether the error needs no declaration, according to `portal.contract.operations`."""
    match error:
        case NotAuthenticated():
            return bool(operation.at(ParameterPlace.TOKEN))
        case NotFound():
            return bool(operation.at(ParameterPlace.PATH)) or operation.right is not None
        case Refused():
            return error.code is Code.READ_ONLY and bool(operation.at(ParameterPlace.TOKEN))
        case Unavailable():
            return error.code in (Code.GENERAL_ERROR, Code.NETWORK_ERROR)
        case InvalidInput():
            asked = operation.at(
                ParameterPlace.BODY, ParameterPlace.BODY_FIELD, ParameterPlace.QUERY, ParameterPlace.QUERY_MODEL
            )
            known = _NOT_WELL_FORMED | {code for each in operation.refuses for code in each.codes}
            return bool(asked) and error.code is Code.INVALID_INPUT and set(error.fields.values()) <= known
    return False


def _is_declared(operation: Operation, error: ProviderError) -> bool:
    return any(
        isinstance(error, refusal.error) and (not refusal.codes or error.code in refusal.codes)
        for refusal in operation.refuses
    )
