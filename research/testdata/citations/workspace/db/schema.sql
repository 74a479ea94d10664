-- Accounts and what they owe.
CREATE TABLE account (
    id         BIGINT PRIMARY KEY,
    email      TEXT NOT NULL UNIQUE,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    closed_at  TIMESTAMPTZ
);

CREATE TABLE invoice (
    id         BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES account (id) ON DELETE RESTRICT,
    cents      INTEGER NOT NULL CHECK (cents >= 0),
    paid_at    TIMESTAMPTZ
);

CREATE INDEX invoice_open ON invoice (account_id) WHERE paid_at IS NULL;

-- Nobody is billed twice for one month.
CREATE UNIQUE INDEX invoice_month ON invoice (account_id, date_trunc('month', paid_at));
