from ferry_worker.client import LeaseLost
from ferry_worker.heartbeat import Heartbeat


class LosingClient:
    def heartbeat(self, job_id):
        raise LeaseLost(job_id)


def test_beating_stops_when_the_lease_is_lost(monkeypatch):
    monkeypatch.setattr("ferry_worker.heartbeat.BEAT_SECONDS", 0.001)
    beat = Heartbeat(LosingClient(), 1)
    with beat:
        beat._thread.join(1)
    assert beat.lost
