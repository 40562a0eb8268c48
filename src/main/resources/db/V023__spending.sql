-- Works with programs since schema 7.
-- budget: the tokens and the cost of turns in a period of step milliseconds from start, as one process has added them up. kind is run
-- or heartbeat. hook is empty for one that is not configured and for heartbeats, sender for any other credential. model is that of
-- the provider that was asked, <provider>/* for one that no setting names. cost is in millionths; null while no turn had a price.
CREATE TABLE spending (
    step bigint NOT NULL,
    start bigint NOT NULL,
    writer text NOT NULL,
    kind text NOT NULL,
    hook text NOT NULL,
    sender text NOT NULL,
    agent text NOT NULL,
    model text NOT NULL,
    turns bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cost bigint,
    PRIMARY KEY (step, start, writer, kind, hook, sender, agent, model)
);
