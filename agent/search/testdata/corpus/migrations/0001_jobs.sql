-- The one table that everything hangs on.
CREATE TYPE job_state AS ENUM ('pending', 'running', 'done', 'failed', 'dead');

CREATE TABLE jobs (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    queue           text NOT NULL CHECK (queue ~ '^[a-z][a-z0-9_-]{0,62}$'),
    state           job_state NOT NULL DEFAULT 'pending',
    priority        smallint NOT NULL DEFAULT 0,
    payload         jsonb NOT NULL,
    attempt         integer NOT NULL DEFAULT 0,
    max_attempts    integer NOT NULL DEFAULT 12,
    run_at          timestamptz NOT NULL DEFAULT now(),
    lease_until     timestamptz,
    worker          text,
    last_error      text,
    finished_at     timestamptz,
    idempotency_key text UNIQUE
);

-- Only due rows are ever looked for, so that the index stays small.
CREATE INDEX jobs_due ON jobs (queue, priority DESC, run_at) WHERE state = 'pending';
CREATE INDEX jobs_leases ON jobs (lease_until) WHERE state = 'running';
