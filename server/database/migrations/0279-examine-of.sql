-- The record on whose page what is judged is read; what has a page of its own names none.
ALTER TABLE examine_requests ADD COLUMN of_id uuid;
