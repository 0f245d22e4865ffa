-- Finds pictures that look alike among all that prove something in a branch (0281): whether each cell of a shape is
-- brighter than the next in its row. A blank wall or the dark has none.
ALTER TABLE files ADD COLUMN look bit(380);
UPDATE files f SET look = l.bits::bit(380)
FROM (
  SELECT x.key, string_agg(CASE WHEN n.here > n.beside THEN '1' ELSE '0' END, '' ORDER BY r, c) AS bits,
    max(greatest(n.here, n.beside)) - min(least(n.here, n.beside)) AS contrast
  FROM files x
  CROSS JOIN generate_series(0, 19) r
  CROSS JOIN generate_series(0, 18) c
  CROSS JOIN LATERAL (
    SELECT get_byte(x.shape, r * 20 + c) AS here, get_byte(x.shape, r * 20 + c + 1) AS beside) n
  WHERE x.shape IS NOT NULL
  GROUP BY x.key) l
WHERE f.key = l.key AND l.contrast >= 40;
DROP INDEX files_shapes;
CREATE INDEX files_looks ON files (tenant_id, bc_id) WHERE look IS NOT NULL AND proves IS NOT NULL;
