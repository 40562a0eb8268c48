-- Works with programs since schema 7.
-- acceptance: the SHA-256 of what a sender signed whom its signature alone let in; the same is accepted once. Null of any other request.
ALTER TABLE idempotency ADD COLUMN signed_sha256 text;
CREATE UNIQUE INDEX idempotency_signed ON idempotency (signed_sha256) WHERE signed_sha256 IS NOT NULL;
