-- The last moments a job was done for: after a clock that ran ahead is right again, the work goes on from the last true one
-- instead of resting until the false one has passed.
ALTER TABLE job_runs ADD COLUMN done timestamptz[] NOT NULL DEFAULT '{}';
