-- Moments are epoch milliseconds, ids and states are text, booleans are 0 or 1. One room writes each table.

-- acceptance: one row for each session, the lane of its runs and beats.
CREATE TABLE session (
    key text PRIMARY KEY,
    agent_id text NOT NULL,
    tail bigint NOT NULL,
    ready_at bigint,
    beat_at bigint,
    last_beat_at bigint,
    beat_failures integer NOT NULL DEFAULT 0,
    owner text,
    epoch bigint NOT NULL DEFAULT 0,
    used_at bigint NOT NULL
);
CREATE INDEX session_ready ON session (ready_at) WHERE ready_at IS NOT NULL;
CREATE INDEX session_beat ON session (beat_at) WHERE beat_at IS NOT NULL;

-- acceptance: one row for each agent turn that was asked for.
CREATE TABLE run (
    id text PRIMARY KEY,
    session_key text NOT NULL,
    seq bigint NOT NULL,
    agent_id text NOT NULL,
    state text NOT NULL,
    attempts integer NOT NULL,
    message text NOT NULL,
    name text NOT NULL,
    wake_mode text NOT NULL,
    deliver smallint NOT NULL,
    channel text NOT NULL,
    recipient text,
    model text NOT NULL,
    thinking text,
    timeout_ms bigint NOT NULL,
    hook text NOT NULL,
    trusted smallint NOT NULL,
    body_bytes integer NOT NULL,
    body_sha256 text NOT NULL,
    accepted_at bigint NOT NULL,
    started_at bigint,
    finished_at bigint,
    reply text,
    error text
);
CREATE INDEX run_unfinished ON run (session_key, seq) WHERE finished_at IS NULL;
CREATE INDEX run_finished ON run (finished_at) WHERE finished_at IS NOT NULL;

-- acceptance: one row for each line that waits, or waited, for a main session.
CREATE TABLE event (
    id text PRIMARY KEY,
    session_key text NOT NULL,
    seq bigint NOT NULL,
    kind text NOT NULL,
    text text NOT NULL,
    hook text NOT NULL,
    trusted smallint NOT NULL,
    run_id text,
    created_at bigint NOT NULL,
    taken_at bigint
);
CREATE INDEX event_waiting ON event (session_key, seq) WHERE taken_at IS NULL;
CREATE INDEX event_taken ON event (taken_at) WHERE taken_at IS NOT NULL;

-- acceptance: what was answered under a sender's key.
CREATE TABLE idempotency (
    key text PRIMARY KEY,
    content_sha256 text NOT NULL,
    receipts text NOT NULL,
    created_at bigint NOT NULL
);
CREATE INDEX idempotency_created ON idempotency (created_at);

-- agent: what was said in a session.
CREATE TABLE turn (
    session_key text NOT NULL,
    seq bigint NOT NULL,
    run_id text,
    role text NOT NULL,
    text text NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (session_key, seq)
);
CREATE INDEX turn_created ON turn (created_at);

-- channel: the outbox.
CREATE TABLE delivery (
    id text PRIMARY KEY,
    run_id text,
    agent_id text NOT NULL,
    channel text NOT NULL,
    recipient text,
    text text NOT NULL,
    state text NOT NULL,
    attempts integer NOT NULL,
    next_at bigint,
    reason text,
    created_at bigint NOT NULL,
    finished_at bigint
);
CREATE INDEX delivery_target ON delivery (agent_id, created_at) WHERE channel <> 'inbox';
CREATE INDEX delivery_run ON delivery (run_id);
CREATE INDEX delivery_next ON delivery (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX delivery_finished ON delivery (finished_at) WHERE finished_at IS NOT NULL;

-- dispatch: who is alive.
CREATE TABLE node (
    id text PRIMARY KEY,
    started_at bigint NOT NULL,
    seen_at bigint NOT NULL
);
