-- To whom a link was given, in words.
ALTER TABLE links ADD COLUMN person text NOT NULL DEFAULT '';
-- A picture that came through a link: nobody's but that link's until it proves something.
ALTER TABLE files ADD COLUMN link_id uuid;

-- What somebody without an account did through a link, by the number that their page gave it: sent again over a weak
-- network it is done once.
CREATE TABLE link_acts (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  link_id   uuid NOT NULL,
  id        uuid NOT NULL,
  -- What it was done to, and what it was answered with.
  target_id uuid NOT NULL,
  answer    text NOT NULL DEFAULT '',
  at        timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, link_id, id),
  FOREIGN KEY (tenant_id, link_id) REFERENCES links ON DELETE CASCADE);
SELECT protect('link_acts');
