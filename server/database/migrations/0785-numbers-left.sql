-- A customer whom nobody has leaves a number behind a link: their history says so.
ALTER TABLE customer_events DROP CONSTRAINT customer_events_act_check;
ALTER TABLE customer_events ADD CONSTRAINT customer_events_act_check CHECK (act IN
  ('enter', 'claim', 'assign', 'hand', 'back', 'lose', 'revive', 'merge', 'refuse', 'accept', 'own', 'edit', 'left'));
