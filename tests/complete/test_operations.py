"""Each operation has one declaration, one method of a service, a typical call, and tells nobody what went wrong."""

from functools import cache
from inspect import Parameter, signature

import pytest
from structlog.testing import capture_logs

from portal.contract.errors import Unavailable
from portal.contract.operations import ParameterPlace, operations_of
from portal.kernel.codes import Code
from portal.provider.api import APIS
from portal.provider.application import Application
from portal.settings import Settings
from tests.contract.operations import ALL, typical
from tests.support.declared import API_OF, DECLARED


@pytest.mark.parametrize("name", DECLARED)
def test_every_parameter_has_a_typical_value(name: str) -> None:
    needed = [each for each in DECLARED[name].arguments if each.default is Parameter.empty]
    missing = [each.name for each in needed if each.place is not ParameterPlace.TOKEN and typical(each) is None]
    assert not missing, f"give {missing} of {name} a value by type or name in tests/contract/operations.py"


@pytest.mark.parametrize("name", ALL)
def test_each_operation_has_one_declaration_and_one_method_of_a_service(name: str) -> None:
    assert [api for api in APIS if name in operations_of(api)] == [API_OF[name]]
    service, others = _method_of(name)
    assert not others, f"{name} has two methods: {service} and {others}"
    declared, kept = signature(getattr(API_OF[name], name)), signature(getattr(service, name))
    assert [(each.name, each.default) for each in declared.parameters.values()] == [
        (each.name, each.default) for each in kept.parameters.values()
    ], f"give {service.__module__}.{service.__name__}.{name} the parameters of its declaration"


async def test_nobody_sees_an_error_that_nobody_foresaw(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise KeyError("SENTINEL")

    for service in {_method_of(name)[0] for name in ALL}:
        for name in DECLARED.keys() & vars(service).keys():
            monkeypatch.setattr(service, name, fail)
    provider = Application(Settings()).services
    for name, operation in ALL.items():
        with capture_logs() as lines, pytest.raises(Unavailable) as caught:
            await operation(provider, "token")
        assert caught.value.code is Code.GENERAL_ERROR
        assert [(line["operation"], line["kind"]) for line in lines] == [(name, "KeyError")]
        assert "SENTINEL" not in str(lines)


def _method_of(name: str) -> tuple[type, list[type]]:
    """The class that has the method of an operation, and others that have it as well."""
    of_api = _service_of(API_OF[name])
    found = [each for each in of_api.__mro__ if name in vars(each) and each is not API_OF[name]]
    assert found, f"write {name} in the service of {API_OF[name].__name__}: portal/<subject>/provider/service.py"
    return found[0], found[1:]


@cache
def _service_of(api: type) -> type:
    services = Application(Settings()).services
    services.ask(api)  # Those of staff are made when they are asked for.
    return type(services._services[api])
