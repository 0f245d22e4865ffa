-- What was answered on a device that one of the company alone let in is theirs, written down, and nothing proves it.
ALTER TABLE question_answers
  DROP CONSTRAINT question_answers_check1,
  ADD CONSTRAINT question_answers_proof CHECK (recorded_by <> '' OR cardinality(pictures) = 0);
