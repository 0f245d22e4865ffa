-- settings.both
SELECT
  key,
  bc_id,
  value
FROM
  settings
WHERE
  tenant_id = $1
  AND (
    bc_id IS NULL
    OR bc_id = $2
  );

-- settings.branch
SELECT
  bc_name
FROM
  companies
WHERE
  tenant_id = $1
  AND bc_id = $2;

-- settings.drop
DELETE FROM settings
WHERE
  tenant_id = $1
  AND key = $2
  AND bc_id IS NOT DISTINCT FROM $3;

-- settings.one
SELECT
  value
FROM
  settings
WHERE
  tenant_id = $1
  AND key = $3
  AND (
    bc_id = $2
    OR bc_id IS NULL
  )
ORDER BY
  bc_id NULLS LAST
LIMIT 1;

-- settings.set
INSERT INTO
  settings (tenant_id, bc_id, key, value)
VALUES
  ($1, $2, $3, $4);

-- settings.turns
SELECT
  pg_advisory_xact_lock(724004, hashtext ($1));

-- settings.was
SELECT
  value
FROM
  settings
WHERE
  tenant_id = $1
  AND key = $2
  AND bc_id IS NOT DISTINCT FROM $3;
