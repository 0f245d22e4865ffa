-- What a home said may become something that its owner is asked to decide.
ALTER TABLE thread_outcomes DROP CONSTRAINT thread_outcomes_kind_check;
ALTER TABLE thread_outcomes ADD CONSTRAINT thread_outcomes_kind_check
  CHECK (kind IN ('feedback', 'promise', 'reception', 'question'));
