-- Works with programs since schema 7.
-- acceptance: the runs of a hook, of a session, and those that failed, in the order of their acceptance.
CREATE INDEX run_hook ON run (hook, id);
CREATE INDEX run_session ON run (session_key, id);
CREATE INDEX run_failed ON run (id) WHERE state IN ('failed', 'timed_out');
