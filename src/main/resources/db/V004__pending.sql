-- acceptance: wakes that wait are counted from the index alone, without a look at the rows of millions that were taken.
DROP INDEX event_waiting;
CREATE INDEX event_waiting ON event (session_key, seq, kind) WHERE taken_at IS NULL;
