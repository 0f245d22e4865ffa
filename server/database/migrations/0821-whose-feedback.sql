-- Whose time a feedback is of: a moment at which the home was theirs. What is said late about a time that is over, of
-- a promise, a message or an earlier feedback, is of the owner of then, not of who has the home by now
-- (docs/decisions/0520).
ALTER TABLE feedback ADD home_at timestamptz;
SET LOCAL app.tenant = '*';
UPDATE feedback f
SET home_at = coalesce(
  (SELECT max(k.at)
   FROM promise_events o
   JOIN promise_events k ON k.tenant_id = o.tenant_id AND k.promise_id = o.promise_id AND k.act = 'keep'
     AND k.at <= o.at
   WHERE o.tenant_id = f.tenant_id AND o.feedback_id = f.id),
  f.entered_at);
ALTER TABLE feedback ALTER home_at SET NOT NULL;
-- What nobody says anything of is theirs who have the home when it is written.
CREATE FUNCTION feedback_home() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.home_at := coalesce(NEW.home_at, NEW.entered_at);
  RETURN NEW;
END $$;
CREATE TRIGGER feedback_home BEFORE INSERT ON feedback FOR EACH ROW EXECUTE FUNCTION feedback_home();
CREATE INDEX promise_events_feedback ON promise_events (tenant_id, feedback_id) WHERE feedback_id IS NOT NULL;
