-- consents.add
INSERT INTO consents (tenant_id, id, kind, subject_type, subject_id, state, how, answered_on, scope, proof,
  recorded_by, wording, recorded_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, :now);

-- consents.count
SELECT k.kind, k.state, count(*)::int AS n
FROM (SELECT DISTINCT ON (x.kind, x.subject_type, x.subject_id) x.kind, x.state
  FROM consents x
  WHERE x.tenant_id = $1
  ORDER BY x.kind, x.subject_type, x.subject_id, x.recorded_at DESC, x.id DESC) k
GROUP BY k.kind, k.state;

-- consents.given
SELECT id FROM consents
WHERE tenant_id = $1 AND kind = $2 AND subject_type = $3 AND subject_id = $4
  AND state = 1;

-- consents.lastword
SELECT max(greatest(x.answered_on, (x.withdrawn_at AT TIME ZONE 'Asia/Shanghai')::date))::text AS day
FROM consents x
WHERE x.tenant_id = $1 AND x.kind = $2 AND x.subject_type = $3 AND x.subject_id = $4;

-- consents.notices
SELECT x.kind, x.version, count(*)::int AS n
FROM (
  SELECT 'customer' AS kind, k.notice AS version FROM customers k
  WHERE k.tenant_id = $1 AND k.held <> 'merged'
  UNION ALL
  SELECT 'signing', c.notice FROM contracts c
  WHERE c.tenant_id = $1 AND c.signing_progress = 3
  UNION ALL
  SELECT 'owner', o.notice FROM owners o WHERE o.tenant_id = $1
  UNION ALL
  SELECT 'worker', w.notice FROM workers w WHERE w.tenant_id = $1 AND w.deleted_at IS NULL
  UNION ALL
  SELECT 'camera', d.notice FROM devices d
  WHERE d.tenant_id = $1 AND d.type = 'camera' AND d.site_id IS NOT NULL
  UNION ALL
  SELECT 'face', a.wording FROM consents a
  WHERE a.tenant_id = $1 AND a.kind = 'face' AND a.state = 1) x
GROUP BY x.kind, x.version;

-- consents.of
SELECT id, state, how, answered_on::text AS "answeredOn", scope, wording,
  CASE WHEN $5 THEN proof END AS proof,
  recorded_by AS "recordedBy", floor(extract(epoch FROM recorded_at))::float8 AS "recordedAt",
    withdrawn_by AS "withdrawnBy",
  floor(extract(epoch FROM withdrawn_at))::float8 AS "withdrawnAt", withdrawn_why AS "withdrawnWhy"
FROM consents
WHERE tenant_id = $1 AND kind = $2 AND subject_type = $3 AND subject_id = $4
ORDER BY recorded_at DESC, id DESC;

-- consents.withdraw
UPDATE consents
SET state = 3, withdrawn_by = $5, withdrawn_at = :now, withdrawn_why = $6
WHERE tenant_id = $1 AND kind = $2 AND subject_type = $3 AND subject_id = $4
  AND state = 1;
