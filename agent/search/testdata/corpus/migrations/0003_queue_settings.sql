-- Settings that differ between queues; a queue without a row has the defaults.
CREATE TABLE queue_settings (
    queue          text PRIMARY KEY,
    lease_seconds  integer NOT NULL DEFAULT 30 CHECK (lease_seconds BETWEEN 5 AND 3600),
    paused         boolean NOT NULL DEFAULT false,
    max_running    integer CHECK (max_running > 0)
);
