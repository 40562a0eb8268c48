-- acceptance: what a run's last turn used and did, as JSON: names and sizes, never what was said.
ALTER TABLE run ADD COLUMN turn_record text;
