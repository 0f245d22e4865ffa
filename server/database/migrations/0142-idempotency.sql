-- A write that is sent again with the key of its first sending is answered with the first answer and does nothing twice. The row
-- is written in the transaction of the effect. Neither the key nor the answer can be read from it: the key is hashed, the answer
-- sealed with the key itself (docs/decisions/0142).
CREATE TABLE idempotency (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  key_hash bytea NOT NULL,
  request_hash bytea NOT NULL,
  answer text,
  at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, key_hash),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE);
SELECT protect('idempotency');
CREATE INDEX idempotency_age ON idempotency (at);
