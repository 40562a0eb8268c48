-- Works with programs since schema 7.
-- acceptance: one row for each open group of requests that become one run or event. id is the hash of what they share. action_id is
-- that run or event, and session_key the session in which it takes its place when the group closes, at due_at or in the commit that
-- makes it full. Until then its row has a session key that no session has, so that no program, not even an older one, begins it.
-- turn_queue is null for an event.
CREATE TABLE request_group (
    id text PRIMARY KEY,
    action_id text NOT NULL,
    session_key text NOT NULL,
    agent_id text NOT NULL,
    turn_queue text,
    asks_heartbeat smallint NOT NULL,
    opened_at bigint NOT NULL,
    due_at bigint NOT NULL,
    items integer NOT NULL,
    characters integer NOT NULL
);
CREATE INDEX request_group_due ON request_group (due_at);
CREATE INDEX request_group_action ON request_group (action_id);
-- acceptance: the texts of the requests that became one run or event, in order: all of them, or the last alone. One that stayed alone
-- has no row.
CREATE TABLE request_item (
    action_id text NOT NULL,
    number integer NOT NULL,
    text text NOT NULL,
    request_id text,
    received_at bigint NOT NULL,
    PRIMARY KEY (action_id, number)
);
CREATE INDEX request_item_received ON request_item (received_at);
-- acceptance: the number of requests that became the run or event; null for one alone. The text of the row has the texts of the items
-- for programs before this step, which do not read them.
ALTER TABLE run ADD COLUMN items integer;
ALTER TABLE event ADD COLUMN items integer;
-- acceptance: the time when the run took its place in its session, where that is not the time of its acceptance.
ALTER TABLE run ADD COLUMN queued_at bigint;
-- acceptance: the number of the request in its group, in the first response; null for one that opened a group, or had none.
ALTER TABLE idempotency ADD COLUMN coalesced integer;
