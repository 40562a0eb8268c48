-- Works with programs since schema 7.
-- acceptance: the epoch of the last heartbeat that the schedule alone began. While the lane has this epoch, nobody has asked for its
-- heartbeat. A program before this step leaves it as it is, so that its heartbeats count as asked for.
ALTER TABLE session ADD COLUMN beat_scheduled_epoch bigint;
