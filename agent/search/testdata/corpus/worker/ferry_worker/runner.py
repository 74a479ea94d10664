"""Claims jobs and runs their handlers, several at a time."""

from __future__ import annotations

import logging
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

from .client import Client
from .heartbeat import Heartbeat
from .registry import Registry

log = logging.getLogger(__name__)

DEFAULT_CONCURRENCY = 8


class Runner:
    """Runs until it is told to stop, then waits for the jobs in flight."""

    def __init__(self, client: Client, registry: Registry, concurrency: int = DEFAULT_CONCURRENCY) -> None:
        self._client = client
        self._registry = registry
        self._slots = threading.Semaphore(concurrency)
        self._pool = ThreadPoolExecutor(max_workers=concurrency)
        self._stopping = threading.Event()

    def install_signal_handlers(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self._stopping.set())

    def run(self, queue: str) -> None:
        while not self._stopping.is_set():
            self._slots.acquire()
            jobs = self._client.claim(queue, limit=1)
            if not jobs:
                self._slots.release()
                continue
            self._pool.submit(self._run_one, jobs[0])
        self._pool.shutdown(wait=True)

    def _run_one(self, job: dict) -> None:
        handler = self._registry.handler_for(job["queue"])
        try:
            with Heartbeat(self._client, job["id"]):
                handler(job["payload"])
            self._client.finish(job["id"])
        except Exception as error:  # a handler may raise anything
            log.exception("job %s failed", job["id"])
            self._client.finish(job["id"], error=str(error))
        finally:
            self._slots.release()
