-- A site is not finished while something of it is to be corrected (docs/states.md).
CREATE INDEX corrections_unsettled ON corrections (tenant_id, site_id) WHERE correction_status IN (1, 2);
