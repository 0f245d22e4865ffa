-- How many patrols a branch handed in on a day: the daily sheet asks it of each of its rows.
CREATE INDEX patrols_handed_in ON patrols (tenant_id, bc_id, submitted_at) WHERE status = 2;
