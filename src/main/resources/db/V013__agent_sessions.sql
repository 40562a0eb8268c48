-- Works with programs since schema 7.
-- acceptance, agent: a session belongs to one agent. What was one session of several agents becomes one of each: the agent called
-- main keeps the key, and the sessions of others, and those whose key begins with agent:, are called agent:<agent>:<key> from now
-- on. A session that somebody works in now stays as it is, with its runs; a main session keeps the turns of its own agent alone.
-- What a program before this step still accepts for another agent than main waits in a session of its own, and keeps its order there.
UPDATE session SET key = 'agent:' || agent_id || ':' || key WHERE owner IS NULL AND substr(key, 1, 6) = 'agent:';
UPDATE session SET key = 'agent:' || agent_id || ':' || key
WHERE owner IS NULL AND agent_id <> 'main' AND substr(key, 1, 5) <> 'main:' AND substr(key, 1, 6) <> 'agent:';
UPDATE session SET agent_id = substr(key, 6) WHERE substr(key, 1, 5) = 'main:' AND agent_id <> substr(key, 6);
UPDATE run SET session_key = 'agent:' || agent_id || ':' || session_key WHERE substr(session_key, 1, 6) = 'agent:'
AND NOT EXISTS (SELECT 1 FROM session WHERE key = run.session_key AND owner IS NOT NULL);
UPDATE run SET session_key = 'agent:' || agent_id || ':' || session_key
WHERE session_key <> 'main:' || agent_id AND (agent_id <> 'main' OR substr(session_key, 1, 5) = 'main:')
AND substr(session_key, 1, 6) <> 'agent:'
AND NOT EXISTS (SELECT 1 FROM session WHERE key = run.session_key AND owner IS NOT NULL);
INSERT INTO session (key, agent_id, tail, used_at)
SELECT session_key, MIN(agent_id), MAX(seq), MAX(COALESCE(finished_at, accepted_at)) FROM run
WHERE NOT EXISTS (SELECT 1 FROM session WHERE key = run.session_key) GROUP BY session_key
ON CONFLICT (key) DO NOTHING;
UPDATE session SET ready_at = (SELECT MIN(accepted_at) FROM run
WHERE session_key = session.key AND finished_at IS NULL AND state = 'queued' AND cancel_at IS NULL)
WHERE ready_at IS NOT NULL OR key IN (SELECT session_key FROM run WHERE finished_at IS NULL AND state = 'queued');

-- agent: whose turn it was; null where a program before this step wrote it: then the run's agent's, or the main session's.
ALTER TABLE turn ADD COLUMN agent_id text;
UPDATE turn SET agent_id = (SELECT run.agent_id FROM run WHERE run.id = turn.run_id) WHERE run_id IN (SELECT id FROM run
WHERE agent_id <> 'main' OR substr(session_key, 1, 6) = 'agent:' OR substr(session_key, 1, 5) = 'main:');
UPDATE turn SET session_key = 'agent:' || agent_id || ':' || session_key
WHERE agent_id IS NOT NULL AND substr(session_key, 1, 6) = 'agent:';
UPDATE turn SET session_key = 'agent:' || agent_id || ':' || session_key
WHERE agent_id IS NOT NULL AND session_key <> 'main:' || agent_id
AND (agent_id <> 'main' OR substr(session_key, 1, 5) = 'main:') AND substr(session_key, 1, 6) <> 'agent:';
-- Of whose run nothing is known any more, since it was too old, could be any agent's.
DELETE FROM turn WHERE agent_id IS NULL AND run_id IS NOT NULL AND substr(session_key, 1, 5) <> 'main:'
AND EXISTS (SELECT 1 FROM run WHERE agent_id <> 'main') AND NOT EXISTS (SELECT 1 FROM run WHERE run.id = turn.run_id);

-- channel: the session whose reply it is, and whether its channel was named: such are what its next ones follow.
ALTER TABLE delivery ADD COLUMN session text;
ALTER TABLE delivery ADD COLUMN named smallint NOT NULL DEFAULT 0;
UPDATE delivery SET named = 1, session = (SELECT run.session_key FROM run WHERE run.id = delivery.run_id)
WHERE run_id IN (SELECT id FROM run WHERE channel <> 'last');
CREATE INDEX delivery_route ON delivery (session, seq) WHERE named = 1;
