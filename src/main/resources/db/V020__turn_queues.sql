-- Works with programs since schema 7.
-- acceptance: the priority of a run's turn among those of other hooks: 0 high, 1 normal, 2 low.
ALTER TABLE run ADD COLUMN priority smallint NOT NULL DEFAULT 1;
-- acceptance: the turn queue of a session: the priority of its first queued run, and that run's hook. Sessions that are ready are
-- found by their queue, so that a hook with many of them does not stand before the others.
ALTER TABLE session ADD COLUMN turn_queue text NOT NULL DEFAULT '';
UPDATE session SET turn_queue = (SELECT CAST(priority AS text) || hook FROM run
WHERE session_key = session.key AND finished_at IS NULL AND state = 'queued' ORDER BY seq LIMIT 1)
WHERE ready_at IS NOT NULL AND key IN (SELECT session_key FROM run WHERE finished_at IS NULL AND state = 'queued');
CREATE INDEX session_turn_queue ON session (turn_queue, ready_at) WHERE ready_at IS NOT NULL;
DROP INDEX session_ready;
-- acceptance: the mapping that admits only so many pending actions; null for any other. The indexes are all that its bound reads.
ALTER TABLE run ADD COLUMN limited_mapping text;
CREATE INDEX run_mapping_pending ON run (limited_mapping) WHERE limited_mapping IS NOT NULL AND finished_at IS NULL;
ALTER TABLE event ADD COLUMN limited_mapping text;
CREATE INDEX event_mapping_pending ON event (limited_mapping) WHERE limited_mapping IS NOT NULL AND taken_at IS NULL;
