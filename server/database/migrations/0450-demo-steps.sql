-- A demo says how far it came: a first start that is cut off goes on at the next (docs/decisions/0450). What its people
-- were answered is kept until all of it is told.
CREATE TABLE demo_steps (
  step    text PRIMARY KEY,
  from_at timestamptz NOT NULL,
  done_at timestamptz);
CREATE TABLE demo_answers (
  n      int PRIMARY KEY,
  answer json NOT NULL);
REVOKE ALL ON demo_steps, demo_answers FROM :app_role;
GRANT SELECT, INSERT, UPDATE ON demo_steps TO :system_role;
GRANT SELECT, INSERT, DELETE ON demo_answers TO :system_role;
