-- Pictures and papers that may be nobody's, by their age.
CREATE INDEX files_loose ON files (tenant_id, at, key)
  WHERE kind IN ('picture', 'pdf') AND proves IS NULL AND order_id IS NULL;
