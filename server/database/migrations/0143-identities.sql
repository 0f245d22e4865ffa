-- Which company account (OpenID Connect: issuer and subject, which its holder cannot change) opens which account of ours. Linked once, by
-- somebody who has proved both: by coming back from the provider and by signing in with the password.
CREATE TABLE user_identities (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, issuer, subject),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE);
-- One company account opens one account of the whole installation: nobody chooses a group before signing in.
CREATE UNIQUE INDEX user_identities_one ON user_identities (issuer, subject);
CREATE INDEX user_identities_user ON user_identities (tenant_id, user_id);
SELECT protect('user_identities');
