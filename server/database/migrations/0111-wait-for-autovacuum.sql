-- The database's own housekeeping gives way to whoever has waited a second: one second was too short to drop a month
-- that it was just looking at.
ALTER FUNCTION drop_raw_month(date) SET lock_timeout = '3s';
