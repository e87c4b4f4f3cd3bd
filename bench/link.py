"""A slow line between browser and server: delay, shared bandwidth and TCP slow start, for every byte.

The browser's own throttling leaves web sockets and connection set-up alone or treats them by other rules, so the
line is a small proxy in front of the server.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

SEGMENT = 1460
"""Bytes in one TCP segment."""
INITIAL_WINDOW = 10 * SEGMENT
"""Bytes a server may send before the first acknowledgement (RFC 6928)."""


@dataclass(frozen=True, slots=True)
class Line:
    """A network line.

    Attributes:
        name: how it is called in the report.
        round_trip: seconds.
        rate: bytes per second, for all connections together; 0 is unlimited.
    """

    name: str
    round_trip: float
    rate: float = 0


DIRECT = Line("direct", 0)
SLOW_4G = Line("Slow 4G", 0.150, 1.6e6 / 8)


class Link:
    """Proxies one port to another over a `Line`."""

    def __init__(self, line: Line, target_port: int) -> None:
        self.line = line
        self._target_port = target_port
        self._free_at = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection until either side closes it."""
        await asyncio.sleep(self.line.round_trip)  # the handshake costs one round trip before the first byte
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._target_port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(
            self._carry(reader, up_writer, limited=False), self._carry(up_reader, writer, limited=True)
        )

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, limited: bool) -> None:
        loop = asyncio.get_running_loop()
        window, sent_in_window, window_opened = INITIAL_WINDOW, 0, loop.time()
        deliveries: asyncio.Queue[tuple[float, bytes] | None] = asyncio.Queue()
        delivering = asyncio.create_task(self._deliver(deliveries, sink))
        try:
            while data := await source.read(SEGMENT * 4):
                leaves = loop.time()
                if limited and self.line.rate:
                    if leaves - window_opened >= self.line.round_trip:
                        window, sent_in_window, window_opened = min(window * 2, 1 << 20), 0, leaves
                    if sent_in_window + len(data) > window:
                        leaves = window_opened + self.line.round_trip
                        await asyncio.sleep(max(0, leaves - loop.time()))
                        window, sent_in_window, window_opened = min(window * 2, 1 << 20), 0, leaves
                    sent_in_window += len(data)
                    self._free_at = max(self._free_at, leaves) + len(data) / self.line.rate
                    leaves = self._free_at
                deliveries.put_nowait((leaves + self.line.round_trip / 2, data))
        except OSError:
            pass
        finally:
            deliveries.put_nowait(None)
            await delivering

    @staticmethod
    async def _deliver(deliveries: asyncio.Queue[tuple[float, bytes] | None], sink: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        try:
            while entry := await deliveries.get():
                due, data = entry
                await asyncio.sleep(max(0, due - loop.time()))
                sink.write(data)
                await sink.drain()
        except OSError:
            pass
        finally:
            sink.close()


@asynccontextmanager
async def opened(line: Line, listen_port: int, target_port: int) -> AsyncIterator[Link]:
    """A link that listens on `listen_port` of the loopback address while the block runs."""
    link = Link(line, target_port)
    server = await asyncio.start_server(link.serve, "127.0.0.1", listen_port)
    try:
        yield link
    finally:
        server.close()
