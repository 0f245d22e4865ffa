-- What an owner objects to a promise is a feedback as well, with the clocks of one.
ALTER TABLE promise_events ADD COLUMN feedback_id uuid;
