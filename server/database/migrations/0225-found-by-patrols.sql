-- What a failed item led to is a correction.
ALTER TABLE patrol_items ADD FOREIGN KEY (tenant_id, correction_id) REFERENCES corrections;
