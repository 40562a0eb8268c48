-- Works with programs since schema 7.
-- acceptance: the tools of a run whose calls need approval by its mapping, one a line; null for none. How often the turn
-- was paused until operators decide about tool calls. Programs before this step begin such a turn anew.
ALTER TABLE run ADD COLUMN approve text;
ALTER TABLE run ADD COLUMN pauses integer NOT NULL DEFAULT 0;
-- approval: a turn that waits for decisions, with the responses of its model and the results of its tools so far, as JSON.
CREATE TABLE paused_turn (
    run_id text PRIMARY KEY,
    model text NOT NULL,
    journal text NOT NULL,
    elapsed_ms bigint NOT NULL
);
-- approval: a tool call that needs an operator's decision. call is the number of calls before it in the turn. arguments and result
-- are those of the call; they are deleted when the run ends.
CREATE TABLE approval (
    id text PRIMARY KEY,
    run_id text NOT NULL,
    call integer NOT NULL,
    server text NOT NULL,
    tool text NOT NULL,
    arguments text,
    argument_bytes bigint NOT NULL,
    asked_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    decision text,
    decided_at bigint,
    decided_by text,
    begun_at bigint,
    result text,
    UNIQUE (run_id, call)
);
CREATE INDEX approval_undecided ON approval (expires_at) WHERE decision IS NULL;
CREATE INDEX approval_asked ON approval (asked_at);
-- channel: the run whose approval a delivery asks for; null for any other.
ALTER TABLE delivery ADD COLUMN about_run text;
