-- Works with programs since schema 7.
-- statistics: the number of responses and of ended runs in a period of step milliseconds from start, as one process counted them. hook
-- and mapping are empty for runs, and hook for one that is not configured. latest is the time of the last that was counted; durations
-- has the number of durations in each bucket of a histogram.
CREATE TABLE period_count (
    step bigint NOT NULL,
    start bigint NOT NULL,
    writer text NOT NULL,
    kind text NOT NULL,
    hook text NOT NULL,
    mapping text NOT NULL,
    number bigint NOT NULL,
    latest bigint NOT NULL,
    durations text NOT NULL,
    PRIMARY KEY (step, start, writer, kind, hook, mapping)
);
