"""What happens behind the portal's back: in its database, and by the command of the back office."""

from tests.provider.test_commands import run
from tests.support.server import PortalServer
from tests.support.stored import execute


def reference_of(server: PortalServer, email: str, kind: str = "repair") -> str:
    """The reference of a request that is going on."""
    query = """SELECT reference FROM requests JOIN customers ON customers.id = requests.customer_id
               WHERE email = ? AND kind = ? AND status NOT IN ('done', 'completed', 'cancelled')"""
    return execute(server, query, email, kind)[0][0]


def set_back(server: PortalServer, reference: str) -> None:
    """Let a repair be where the shop left it, with the history that it had then."""
    execute(server, "UPDATE requests SET status = 'in_repair' WHERE reference = ?", reference)
    moves = "SELECT id FROM requests WHERE reference = ?"
    execute(server, f"DELETE FROM work_order_events WHERE note <> '' AND request_id IN ({moves})", reference)


def move(server: PortalServer, *arguments: str) -> None:
    """Move a work order as the back office does, in a process of its own."""
    moved(server, "work-order", *arguments)


def moved(server: PortalServer, kind: str, *arguments: str) -> None:
    """Move anything as the back office does."""
    done = run(kind, *arguments, DATA_DIR=str(server.data_dir))
    assert done.returncode == 0, done.stderr
