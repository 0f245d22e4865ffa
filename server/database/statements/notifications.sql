-- notifications.add
INSERT INTO
  notifications (tenant_id, id, user_id, title, link, at)
VALUES
  ($1, $2, $3, $4, $5, :now);

-- notifications.list
SELECT
  id,
  title,
  link,
  floor(
    extract(epoch FROM at)
  )::float8 AS at,
  read_at IS NOT NULL AS read
FROM
  notifications
WHERE
  tenant_id = $1
  AND user_id = $2
ORDER BY
  at DESC
LIMIT 50;

-- notifications.read
UPDATE notifications
SET
  read_at = :now
WHERE
  tenant_id = $1
  AND user_id = $2
  AND read_at IS NULL
  AND (
    $3::uuid[] IS NULL
    OR id = ANY ($3)
  );

-- notifications.settle
UPDATE notifications
SET
  read_at = :now
WHERE
  tenant_id = $1
  AND user_id = ANY ($2::uuid[])
  AND link = $3
  AND read_at IS NULL
RETURNING
  user_id;

-- notifications.unread
SELECT
  count(*)::int AS n
FROM
  notifications
WHERE
  tenant_id = $1
  AND user_id = $2
  AND read_at IS NULL;
