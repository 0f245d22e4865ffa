-- orders.accept
UPDATE orders o
SET
  receive_state = 2,
  answered_at = :now,
  answered_by = $3
WHERE
  o.tenant_id = $1
  AND o.id = $2;

-- orders.addlines
INSERT INTO
  order_lines (tenant_id, id, order_id, item_id, sort, code, name, detail, unit, stage, quantity, price)
SELECT
  $1,
  x.id,
  $2,
  x.item_id,
  x.sort,
  x.code,
  x.name,
  x.detail,
  x.unit,
  x.stage,
  x.quantity,
  x.price
FROM
  json_to_recordset($3::json) AS x (
    id uuid,
    item_id uuid,
    sort int,
    code text,
    name text,
    detail text,
    unit text,
    stage text,
    quantity numeric,
    price numeric
  );

-- orders.ask
UPDATE orders o
SET
  ask = $3,
  ask_side = $4,
  ask_reason = $5,
  ask_by = $6,
  ask_name = $7,
  ask_at = :now,
  version = o.version + 1
WHERE
  o.tenant_id = $1
  AND o.id = $2;

-- orders.asktermination
UPDATE orders o
SET
  ask = $3,
  ask_side = 'buyer',
  ask_reason = '工地合同终止',
  ask_by = $5,
  ask_name = $4,
  ask_at = :now,
  version = o.version + 1
WHERE
  o.tenant_id = $1
  AND o.id = $2
  AND o.ask = ''
  AND EXISTS (
    SELECT
      1
    FROM
      pieces p
    WHERE
      p.tenant_id = $1
      AND p.order_id = o.id
      AND p.place = 'ship'
  );

-- orders.close
UPDATE orders o
SET
  ended = 'closed',
  ask = '',
  ask_side = ''
WHERE
  o.tenant_id = $1
  AND o.id = $2;

-- orders.decline
UPDATE orders o
SET
  ask = '',
  ask_side = '',
  version = o.version + 1
WHERE
  o.tenant_id = $1
  AND o.id = $2;

-- orders.detail, shortest
SELECT
  o.id,
  o.code,
  o.bc_id,
  coalesce(b.bc_name, o.bc_name) AS bc_name,
  o.receiver_id,
  o.receiver_name AS "receiverName",
  CASE
    WHEN true THEN o.site_id::text
    ELSE ''
  END AS site_id,
  CASE
    WHEN true THEN coalesce(w.ws_name, o.community)
    ELSE o.community
  END AS ws_name,
  o.community,
  o.batch,
  o.method,
  o.expected_on::text AS "expectedOn",
  o.receive_state AS "receiveState",
  o.ended,
  o.order_state AS "orderState",
  o.lines,
  o.lines_accepted AS "linesAccepted",
  NULL::text AS amount,
  o.placed_lines AS "placedLines",
  NULL::text AS "placedAmount",
  floor(
    extract(epoch FROM o.made_at)
  )::float8 AS "madeAt",
  o.made_name AS "madeBy",
  o.made_by,
  floor(
    extract(epoch FROM o.due_at)
  )::float8 AS "dueAt",
  floor(
    extract(epoch FROM o.answered_at)
  )::float8 AS "answeredAt",
  floor(
    extract(epoch FROM o.urged_at)
  )::float8 AS "urgedAt",
  (
    o.ended = ''
    AND o.receive_state = 0
    AND o.due_at < :now
    OR o.ended IN ('', 'closed')
    AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
    AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date
    AND EXISTS (
      SELECT
        1
      FROM
        pieces x
      WHERE
        x.tenant_id = $1
        AND x.order_id = o.id
        AND x.order_state = ANY ('{2,3,4}'::smallint[])
    )
  ) AS late,
  o.ask,
  o.ask_side AS "askSide",
  o.ask_by AS "askBy",
  o.ask_name AS "askName",
  o.ask_reason AS "askReason",
  true AS buyer,
  true AS receiver,
  w.status AS "siteStatus",
  EXISTS (
    SELECT
      1
    FROM
      dispatches d
    WHERE
      d.tenant_id = $1
      AND d.order_id = o.id
      AND d.state NOT IN (0, 1)
  ) AS shipped,
  o.version,
  CASE
    WHEN true THEN o.contract_id::text
    ELSE ''
  END AS contract_id,
  CASE
    WHEN true THEN coalesce(c.code, '')
    ELSE ''
  END AS "contractCode",
  o.remark,
  o.revision,
  o.reject_code AS "rejectCode",
  o.reason,
  floor(
    extract(epoch FROM o.ask_at)
  )::float8 AS "askAt",
  o.parent_id,
  coalesce(r.code, '') AS "parentCode",
  coalesce(
    (
      SELECT
        json_agg(
          json_build_object('id', k.id, 'code', k.code)
          ORDER BY
            k.code
        )
      FROM
        orders k
      WHERE
        k.tenant_id = $1
        AND k.parent_id = o.id
    ),
    '[]'
  ) AS children,
  coalesce(
    (
      SELECT
        json_agg(
          json_build_object(
            'id',
            l.id,
            'item_id',
            CASE
              WHEN true THEN l.item_id::text
              ELSE ''
            END,
            'code',
            l.code,
            'name',
            l.name,
            'detail',
            l.detail,
            'unit',
            l.unit,
            'stage',
            CASE
              WHEN true THEN l.stage
            END,
            'quantity',
            trim_scale(l.quantity)::text,
            'inForce',
            trim_scale(
              coalesce(
                (
                  SELECT
                    sum(p.quantity)
                  FROM
                    pieces p
                  WHERE
                    p.tenant_id = $1
                    AND p.line_id = l.id
                    AND p.order_id = l.order_id
                    AND p.place <> 'held'
                ),
                0
              )
            )::text,
            'price',
            NULL,
            'amount',
            NULL,
            'promisedOn',
            l.promised_on::text,
            'orderState',
            (
              SELECT
                h.state
              FROM
                unnest(ARRAY[7, 5, 4, 3, 2, 6, 1]::smallint[]) WITH ORDINALITY AS h (state, rank)
              WHERE
                EXISTS (
                  SELECT
                    1
                  FROM
                    pieces p
                  WHERE
                    p.tenant_id = $1
                    AND p.line_id = l.id
                    AND p.order_state = h.state
                )
              ORDER BY
                h.rank
              LIMIT 1
            ),
            'shipped',
            trim_scale(
              coalesce(
                (
                  SELECT
                    sum(p.quantity)
                  FROM
                    pieces p
                  WHERE
                    p.tenant_id = $1
                    AND p.line_id = l.id
                    AND p.result IS NOT NULL
                ),
                0
              )
            )::text,
            'arrived',
            trim_scale(
              coalesce(
                (
                  SELECT
                    sum(p.quantity)
                  FROM
                    pieces p
                  WHERE
                    p.tenant_id = $1
                    AND p.line_id = l.id
                    AND p.result >= 1
                ),
                0
              )
            )::text,
            'accepted',
            trim_scale(
              coalesce(
                (
                  SELECT
                    sum(p.quantity)
                  FROM
                    pieces p
                  WHERE
                    p.tenant_id = $1
                    AND p.line_id = l.id
                    AND p.result = 2
                ),
                0
              )
            )::text,
            'returned',
            trim_scale(
              coalesce(
                (
                  SELECT
                    sum(p.quantity)
                  FROM
                    pieces p
                  WHERE
                    p.tenant_id = $1
                    AND p.line_id = l.id
                    AND p.place = 'back'
                ),
                0
              )
            )::text,
            'pieces',
            coalesce(
              (
                SELECT
                  json_agg(
                    json_build_object(
                      'id',
                      p.id,
                      'quantity',
                      trim_scale(p.quantity)::text,
                      'place',
                      p.place,
                      'result',
                      p.result,
                      'orderState',
                      p.order_state,
                      'round',
                      p.round,
                      'noteCode',
                      coalesce(n.code, ''),
                      'nextNoteCode',
                      coalesce(x.code, ''),
                      'changeCode',
                      coalesce(g.code, ''),
                      'since',
                      floor(
                        extract(epoch FROM p.since)
                      )::float8
                    )
                    ORDER BY
                      p.order_state,
                      p.id
                  )
                FROM
                  pieces p
                  LEFT JOIN dispatches n ON n.tenant_id = $1
                  AND n.id = p.note_id
                  LEFT JOIN dispatches x ON x.tenant_id = $1
                  AND x.id = p.next_note_id
                  LEFT JOIN goods_changes g ON g.tenant_id = $1
                  AND g.id = p.change_id
                WHERE
                  p.tenant_id = $1
                  AND p.line_id = l.id
              ),
              '[]'
            )
          )
          ORDER BY
            l.sort
        )
      FROM
        order_lines l
      WHERE
        l.tenant_id = $1
        AND l.order_id = o.id
    ),
    '[]'
  ) AS "lineList",
  coalesce(
    (
      SELECT
        json_agg(
          json_build_object(
            'id',
            d.id,
            'code',
            d.code,
            'kind',
            d.kind,
            'state',
            d.state,
            'checkState',
            d.check_state,
            'shippedAt',
            floor(
              extract(epoch FROM d.shipped_at)
            )::float8,
            'deliveredAt',
            floor(
              extract(epoch FROM d.delivered_at)
            )::float8
          )
          ORDER BY
            d.made_at,
            d.code
        )
      FROM
        dispatches d
      WHERE
        d.tenant_id = $1
        AND d.order_id = o.id
    ),
    '[]'
  ) AS notes,
  coalesce(
    (
      SELECT
        json_agg(
          json_build_object('id', g.id, 'code', g.code, 'result', g.result, 'examineState', g.examine_state)
          ORDER BY
            g.made_at,
            g.code
        )
      FROM
        goods_changes g
      WHERE
        g.tenant_id = $1
        AND g.order_id = o.id
    ),
    '[]'
  ) AS changes,
  coalesce(
    (
      SELECT
        json_agg(
          json_build_object(
            'at',
            floor(
              extract(epoch FROM g.at)
            )::float8,
            'who',
            coalesce(nullif(u.nickname, ''), g.user_name),
            'action',
            g.action,
            'reason',
            coalesce(g.after ->> 'reason', '')
          )
          ORDER BY
            g.at DESC
        )
      FROM
        user_logs g
        LEFT JOIN users u ON u.tenant_id = $1
        AND u.id = g.user_id
      WHERE
        g.tenant_id = $1
        AND g.object = 'order'
        AND g.object_id = o.id::text
        AND g.outcome = 'done'
    ),
    '[]'
  ) AS log,
  (
    CASE
      WHEN o.ended NOT IN ('', 'closed') THEN ''
      WHEN o.ask <> '' THEN CASE o.ask_side
        WHEN 'buyer' THEN o.receiver_name
        ELSE o.made_name
      END
      WHEN o.receive_state = 1 THEN o.made_name
      WHEN o.order_state IN (2, 3) THEN o.receiver_name
      WHEN o.order_state = 4 THEN '承运'
      WHEN o.order_state = 5 THEN '验收员'
      WHEN o.order_state = 7 THEN '审核和退货'
      ELSE ''
    END
  ) AS turn,
  floor(
    extract(
      epoch
      FROM
        (
          CASE
            WHEN o.ask <> '' THEN o.ask_at
            ELSE (
              SELECT
                min(p.since)
              FROM
                pieces p
              WHERE
                p.tenant_id = $1
                AND p.order_id = o.id
                AND p.order_state = o.order_state
            )
          END
        )
    )
  )::float8 AS "turnSince",
  coalesce(
    (
      SELECT
        json_agg(
          json_build_object(
            'revision',
            r.revision,
            'at',
            floor(
              extract(epoch FROM r.at)
            )::float8,
            'text',
            concat_ws(
              '；',
              '期望 ' || (r.content ->> 'expectedOn'),
              nullif(r.content ->> 'remark', ''),
              '拒单：' || (r.content ->> 'reason')
            )
          )
          ORDER BY
            r.revision
        )
      FROM
        order_revisions r
      WHERE
        r.tenant_id = $1
        AND r.order_id = o.id
    ),
    '[]'
  ) AS revisions,
  CASE
    WHEN (
      true
      OR o.receive_state = 2
    ) THEN o.address
    ELSE ''
  END AS address,
  CASE
    WHEN (
      true
      OR o.receive_state = 2
    ) THEN o.contact
    ELSE ''
  END AS contact,
  CASE
    WHEN (
      true
      OR o.receive_state = 2
    ) THEN o.contact_phone
    ELSE ''
  END AS "contactPhone"
FROM
  orders o
  LEFT JOIN companies b ON b.tenant_id = $1
  AND b.bc_id = o.bc_id
  LEFT JOIN sites w ON w.tenant_id = $1
  AND w.id = o.site_id
  LEFT JOIN contracts c ON c.tenant_id = $1
  AND c.id = o.contract_id
  LEFT JOIN orders r ON r.tenant_id = $1
  AND r.id = o.parent_id
WHERE
  o.tenant_id = $1::uuid
  AND o.id = $2::uuid;

-- orders.detail, longest
SELECT
  o.id,
  o.code,
  o.bc_id,
  coalesce(b.bc_name, o.bc_name) AS bc_name,
  o.receiver_id,
  o.receiver_name AS "receiverName",
  CASE
    WHEN (o.bc_id = ANY ($2::uuid[])) THEN o.site_id::text
    ELSE ''
  END AS site_id,
  CASE
    WHEN (o.bc_id = ANY ($2::uuid[])) THEN coalesce(w.ws_name, o.community)
    ELSE o.community
  END AS ws_name,
  o.community,
  o.batch,
  o.method,
  o.expected_on::text AS "expectedOn",
  o.receive_state AS "receiveState",
  o.ended,
  o.order_state AS "orderState",
  o.lines,
  o.lines_accepted AS "linesAccepted",
  o.amount::text AS amount,
  o.placed_lines AS "placedLines",
  o.placed_amount::text AS "placedAmount",
  floor(
    extract(epoch FROM o.made_at)
  )::float8 AS "madeAt",
  o.made_name AS "madeBy",
  o.made_by,
  floor(
    extract(epoch FROM o.due_at)
  )::float8 AS "dueAt",
  floor(
    extract(epoch FROM o.answered_at)
  )::float8 AS "answeredAt",
  floor(
    extract(epoch FROM o.urged_at)
  )::float8 AS "urgedAt",
  (
    o.ended = ''
    AND o.receive_state = 0
    AND o.due_at < :now
    OR o.ended IN ('', 'closed')
    AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
    AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date
    AND EXISTS (
      SELECT
        1
      FROM
        pieces x
      WHERE
        x.tenant_id = $1
        AND x.order_id = o.id
        AND x.order_state = ANY ('{2,3,4}'::smallint[])
    )
  ) AS late,
  o.ask,
  o.ask_side AS "askSide",
  o.ask_by AS "askBy",
  o.ask_name AS "askName",
  o.ask_reason AS "askReason",
  (o.bc_id = ANY ($2::uuid[])) AS buyer,
  (o.receiver_id = ANY ($3::uuid[])) AS receiver,
  w.status AS "siteStatus",
  EXISTS (
    SELECT
      1
    FROM
      dispatches d
    WHERE
      d.tenant_id = $1
      AND d.order_id = o.id
      AND d.state NOT IN (0, 1)
  ) AS shipped,
  o.version,
  CASE
    WHEN (o.bc_id = ANY ($2::uuid[])) THEN o.contract_id::text
    ELSE ''
  END AS contract_id,
  CASE
    WHEN (o.bc_id = ANY ($2::uuid[])) THEN coalesce(c.code, '')
    ELSE ''
  END AS "contractCode",
  o.remark,
  o.revision,
  o.reject_code AS "rejectCode",
  o.reason,
  floor(
    extract(epoch FROM o.ask_at)
  )::float8 AS "askAt",
  o.parent_id,
  coalesce(r.code, '') AS "parentCode",
  coalesce(
    (
      SELECT
        json_agg(
          json_build_object('id', k.id, 'code', k.code)
          ORDER BY
            k.code
        )
      FROM
        orders k
      WHERE
        k.tenant_id = $1
        AND k.parent_id = o.id
    ),
    '[]'
  ) AS children,
  coalesce(
    (
      SELECT
        json_agg(
          json_build_object(
            'id',
            l.id,
            'item_id',
            CASE
              WHEN (o.bc_id = ANY ($2::uuid[])) THEN l.item_id::text
              ELSE ''
            END,
            'code',
            l.code,
            'name',
            l.name,
            'detail',
            l.detail,
            'unit',
            l.unit,
            'stage',
            CASE
              WHEN (o.bc_id = ANY ($2::uuid[])) THEN l.stage
            END,
            'quantity',
            trim_scale(l.quantity)::text,
            'inForce',
            trim_scale(
              coalesce(
                (
                  SELECT
                    sum(p.quantity)
                  FROM
                    pieces p
                  WHERE
                    p.tenant_id = $1
                    AND p.line_id = l.id
                    AND p.order_id = l.order_id
                    AND p.place <> 'held'
                ),
                0
              )
            )::text,
            'price',
            trim_scale(l.price)::text,
            'amount',
            round(
              trim_scale(
                coalesce(
                  (
                    SELECT
                      sum(p.quantity)
                    FROM
                      pieces p
                    WHERE
                      p.tenant_id = $1
                      AND p.line_id = l.id
                      AND p.order_id = l.order_id
                      AND p.place <> 'held'
                  ),
                  0
                )
              )::text::numeric * l.price,
              2
            )::text,
            'promisedOn',
            l.promised_on::text,
            'orderState',
            (
              SELECT
                h.state
              FROM
                unnest(ARRAY[7, 5, 4, 3, 2, 6, 1]::smallint[]) WITH ORDINALITY AS h (state, rank)
              WHERE
                EXISTS (
                  SELECT
                    1
                  FROM
                    pieces p
                  WHERE
                    p.tenant_id = $1
                    AND p.line_id = l.id
                    AND p.order_state = h.state
                )
              ORDER BY
                h.rank
              LIMIT 1
            ),
            'shipped',
            trim_scale(
              coalesce(
                (
                  SELECT
                    sum(p.quantity)
                  FROM
                    pieces p
                  WHERE
                    p.tenant_id = $1
                    AND p.line_id = l.id
                    AND p.result IS NOT NULL
                ),
                0
              )
            )::text,
            'arrived',
            trim_scale(
              coalesce(
                (
                  SELECT
                    sum(p.quantity)
                  FROM
                    pieces p
                  WHERE
                    p.tenant_id = $1
                    AND p.line_id = l.id
                    AND p.result >= 1
                ),
                0
              )
            )::text,
            'accepted',
            trim_scale(
              coalesce(
                (
                  SELECT
                    sum(p.quantity)
                  FROM
                    pieces p
                  WHERE
                    p.tenant_id = $1
                    AND p.line_id = l.id
                    AND p.result = 2
                ),
                0
              )
            )::text,
            'returned',
            trim_scale(
              coalesce(
                (
                  SELECT
                    sum(p.quantity)
                  FROM
                    pieces p
                  WHERE
                    p.tenant_id = $1
                    AND p.line_id = l.id
                    AND p.place = 'back'
                ),
                0
              )
            )::text,
            'pieces',
            coalesce(
              (
                SELECT
                  json_agg(
                    json_build_object(
                      'id',
                      p.id,
                      'quantity',
                      trim_scale(p.quantity)::text,
                      'place',
                      p.place,
                      'result',
                      p.result,
                      'orderState',
                      p.order_state,
                      'round',
                      p.round,
                      'noteCode',
                      coalesce(n.code, ''),
                      'nextNoteCode',
                      coalesce(x.code, ''),
                      'changeCode',
                      coalesce(g.code, ''),
                      'since',
                      floor(
                        extract(epoch FROM p.since)
                      )::float8
                    )
                    ORDER BY
                      p.order_state,
                      p.id
                  )
                FROM
                  pieces p
                  LEFT JOIN dispatches n ON n.tenant_id = $1
                  AND n.id = p.note_id
                  LEFT JOIN dispatches x ON x.tenant_id = $1
                  AND x.id = p.next_note_id
                  LEFT JOIN goods_changes g ON g.tenant_id = $1
                  AND g.id = p.change_id
                WHERE
                  p.tenant_id = $1
                  AND p.line_id = l.id
              ),
              '[]'
            )
          )
          ORDER BY
            l.sort
        )
      FROM
        order_lines l
      WHERE
        l.tenant_id = $1
        AND l.order_id = o.id
    ),
    '[]'
  ) AS "lineList",
  coalesce(
    (
      SELECT
        json_agg(
          json_build_object(
            'id',
            d.id,
            'code',
            d.code,
            'kind',
            d.kind,
            'state',
            d.state,
            'checkState',
            d.check_state,
            'shippedAt',
            floor(
              extract(epoch FROM d.shipped_at)
            )::float8,
            'deliveredAt',
            floor(
              extract(epoch FROM d.delivered_at)
            )::float8
          )
          ORDER BY
            d.made_at,
            d.code
        )
      FROM
        dispatches d
      WHERE
        d.tenant_id = $1
        AND d.order_id = o.id
    ),
    '[]'
  ) AS notes,
  coalesce(
    (
      SELECT
        json_agg(
          json_build_object('id', g.id, 'code', g.code, 'result', g.result, 'examineState', g.examine_state)
          ORDER BY
            g.made_at,
            g.code
        )
      FROM
        goods_changes g
      WHERE
        g.tenant_id = $1
        AND g.order_id = o.id
    ),
    '[]'
  ) AS changes,
  coalesce(
    (
      SELECT
        json_agg(
          json_build_object(
            'at',
            floor(
              extract(epoch FROM g.at)
            )::float8,
            'who',
            coalesce(nullif(u.nickname, ''), g.user_name),
            'action',
            g.action,
            'reason',
            coalesce(g.after ->> 'reason', '')
          )
          ORDER BY
            g.at DESC
        )
      FROM
        user_logs g
        LEFT JOIN users u ON u.tenant_id = $1
        AND u.id = g.user_id
      WHERE
        g.tenant_id = $1
        AND g.object = 'order'
        AND g.object_id = o.id::text
        AND g.outcome = 'done'
    ),
    '[]'
  ) AS log,
  (
    CASE
      WHEN o.ended NOT IN ('', 'closed') THEN ''
      WHEN o.ask <> '' THEN CASE o.ask_side
        WHEN 'buyer' THEN o.receiver_name
        ELSE o.made_name
      END
      WHEN o.receive_state = 1 THEN o.made_name
      WHEN o.order_state IN (2, 3) THEN o.receiver_name
      WHEN o.order_state = 4 THEN '承运'
      WHEN o.order_state = 5 THEN '验收员'
      WHEN o.order_state = 7 THEN '审核和退货'
      ELSE ''
    END
  ) AS turn,
  floor(
    extract(
      epoch
      FROM
        (
          CASE
            WHEN o.ask <> '' THEN o.ask_at
            ELSE (
              SELECT
                min(p.since)
              FROM
                pieces p
              WHERE
                p.tenant_id = $1
                AND p.order_id = o.id
                AND p.order_state = o.order_state
            )
          END
        )
    )
  )::float8 AS "turnSince",
  coalesce(
    (
      SELECT
        json_agg(
          json_build_object(
            'revision',
            r.revision,
            'at',
            floor(
              extract(epoch FROM r.at)
            )::float8,
            'text',
            concat_ws(
              '；',
              '期望 ' || (r.content ->> 'expectedOn'),
              nullif(r.content ->> 'remark', ''),
              '拒单：' || (r.content ->> 'reason')
            )
          )
          ORDER BY
            r.revision
        )
      FROM
        order_revisions r
      WHERE
        r.tenant_id = $1
        AND r.order_id = o.id
    ),
    '[]'
  ) AS revisions,
  CASE
    WHEN (
      (o.bc_id = ANY ($2::uuid[]))
      OR o.receive_state = 2
    ) THEN o.address
    ELSE ''
  END AS address,
  CASE
    WHEN (
      (o.bc_id = ANY ($2::uuid[]))
      OR o.receive_state = 2
    ) THEN o.contact
    ELSE ''
  END AS contact,
  CASE
    WHEN (
      (o.bc_id = ANY ($2::uuid[]))
      OR o.receive_state = 2
    ) THEN o.contact_phone
    ELSE ''
  END AS "contactPhone"
FROM
  orders o
  LEFT JOIN companies b ON b.tenant_id = $1
  AND b.bc_id = o.bc_id
  LEFT JOIN sites w ON w.tenant_id = $1
  AND w.id = o.site_id
  LEFT JOIN contracts c ON c.tenant_id = $1
  AND c.id = o.contract_id
  LEFT JOIN orders r ON r.tenant_id = $1
  AND r.id = o.parent_id
WHERE
  o.tenant_id = $1::uuid
  AND (
    o.bc_id = ANY ($2::uuid[])
    OR o.receiver_id = ANY ($3::uuid[])
  )
  AND o.id = $4::uuid;

-- orders.emptylines
DELETE FROM order_lines l
WHERE
  l.tenant_id = $1
  AND l.order_id = $2
  AND l.quantity = 0;

-- orders.end
UPDATE orders o
SET
  receive_state = $3,
  ended = $4,
  reason = $5,
  ask = '',
  ask_side = ''
WHERE
  o.tenant_id = $1
  AND o.id = $2;

-- orders.freeze
INSERT INTO
  order_revisions (tenant_id, order_id, revision, content, at)
SELECT
  o.tenant_id,
  o.id,
  o.revision,
  jsonb_build_object(
    'expectedOn',
    o.expected_on::text,
    'remark',
    o.remark,
    'rejectCode',
    o.reject_code,
    'reason',
    o.reason,
    'answeredBy',
    o.answered_by
  ),
  :now
FROM
  orders o
WHERE
  o.tenant_id = $1
  AND o.id = $2;

-- orders.goodsof
SELECT
  count(*) FILTER (
    WHERE
      p.order_state = 1
  )::int AS open,
  count(*) FILTER (
    WHERE
      p.order_state NOT IN (1, 6)
  )::int AS moving,
  coalesce(
    string_agg(DISTINCT i.name, '、') FILTER (
      WHERE
        p.order_state NOT IN (1, 6)
    ),
    ''
  ) AS names,
  EXISTS (
    SELECT
      1
    FROM
      contracts c
    WHERE
      c.tenant_id = $1
      AND c.site_id = $2
      AND c.state IN ('ending', 'void')
  ) AS ending
FROM
  pieces p
  JOIN contract_items i ON i.tenant_id = $1
  AND i.id = p.item_id
WHERE
  p.tenant_id = $1
  AND p.site_id = $2;

-- orders.items, shortest
SELECT
  k.item_id AS id,
  k.bc_id,
  k.site_id,
  i.contract_id,
  i.stage,
  i.product_id,
  i.code,
  i.name,
  i.detail,
  i.unit,
  i.receiver AS receiver_id,
  coalesce(receiver_name ($1, i.receiver), i.receiver_name) AS "receiverName",
  trim_scale(i.cost)::text AS cost,
  trim_scale(i.pack)::text AS pack,
  w.status AS "siteStatus",
  array_remove(
    ARRAY[
      CASE
        WHEN i.product_id IS NULL
        AND i.contract_attribute = 1 THEN 'product'
      END,
      CASE
        WHEN EXISTS (
          SELECT
            1
          FROM
            contract_change_lines x
            JOIN contract_changes y ON y.tenant_id = $1
            AND y.id = x.change_id
          WHERE
            x.tenant_id = $1
            AND x.item_id = i.id
            AND y.status = 2
        ) THEN 'change'
      END,
      CASE
        WHEN (
          (
            coalesce(
              (
                SELECT
                  s.value
                FROM
                  settings s
                WHERE
                  s.tenant_id = $1
                  AND s.key = 'payFirst'
                  AND (
                    s.bc_id = c.bc_id
                    OR s.bc_id IS NULL
                  )
                ORDER BY
                  s.bc_id NULLS LAST
                LIMIT 1
              ),
              'false'::jsonb
            )
          )::boolean
          AND (
            CASE c.state
              WHEN 'live' THEN (
                SELECT
                  coalesce(sum(i.amount), 0.00)
                FROM
                  contract_instalments i
                  LEFT JOIN site_stages g ON g.tenant_id = $1
                  AND g.site_id = c.site_id
                  AND g.stage = i.stage
                WHERE
                  i.tenant_id = $1
                  AND i.contract_id = c.id
                  AND CASE
                    WHEN i.change_id IS NOT NULL THEN i.due_on
                    WHEN i.stage IS NULL THEN c.signed_on
                    ELSE g.actual_start
                  END IS NOT NULL
              )
              WHEN 'ending' THEN c.end_value
              WHEN 'ended' THEN c.end_value
              ELSE 0.00
            END
          ) > c.paid
        ) THEN 'money'
      END,
      CASE
        WHEN receiver_name ($1, i.receiver) IS NULL THEN 'receiver'
      END,
      CASE
        WHEN i.cost IS NULL THEN 'cost'
      END
    ],
    NULL
  ) AS bars
FROM
  items_to_order k
  JOIN contract_items i ON i.tenant_id = $1
  AND i.id = k.item_id
  JOIN contracts c ON c.tenant_id = $1
  AND c.id = i.contract_id
  JOIN sites w ON w.tenant_id = $1
  AND w.id = k.site_id
WHERE
  k.tenant_id = $1::uuid
  AND k.item_id = $2::uuid;

-- orders.items, longest
SELECT
  k.item_id AS id,
  k.bc_id,
  k.site_id,
  i.contract_id,
  i.stage,
  i.product_id,
  i.code,
  i.name,
  i.detail,
  i.unit,
  i.receiver AS receiver_id,
  coalesce(receiver_name ($1, i.receiver), i.receiver_name) AS "receiverName",
  trim_scale(i.cost)::text AS cost,
  trim_scale(i.pack)::text AS pack,
  w.status AS "siteStatus",
  array_remove(
    ARRAY[
      CASE
        WHEN i.product_id IS NULL
        AND i.contract_attribute = 1 THEN 'product'
      END,
      CASE
        WHEN EXISTS (
          SELECT
            1
          FROM
            contract_change_lines x
            JOIN contract_changes y ON y.tenant_id = $1
            AND y.id = x.change_id
          WHERE
            x.tenant_id = $1
            AND x.item_id = i.id
            AND y.status = 2
        ) THEN 'change'
      END,
      CASE
        WHEN (
          (
            coalesce(
              (
                SELECT
                  s.value
                FROM
                  settings s
                WHERE
                  s.tenant_id = $1
                  AND s.key = 'payFirst'
                  AND (
                    s.bc_id = c.bc_id
                    OR s.bc_id IS NULL
                  )
                ORDER BY
                  s.bc_id NULLS LAST
                LIMIT 1
              ),
              'false'::jsonb
            )
          )::boolean
          AND (
            CASE c.state
              WHEN 'live' THEN (
                SELECT
                  coalesce(sum(i.amount), 0.00)
                FROM
                  contract_instalments i
                  LEFT JOIN site_stages g ON g.tenant_id = $1
                  AND g.site_id = c.site_id
                  AND g.stage = i.stage
                WHERE
                  i.tenant_id = $1
                  AND i.contract_id = c.id
                  AND CASE
                    WHEN i.change_id IS NOT NULL THEN i.due_on
                    WHEN i.stage IS NULL THEN c.signed_on
                    ELSE g.actual_start
                  END IS NOT NULL
              )
              WHEN 'ending' THEN c.end_value
              WHEN 'ended' THEN c.end_value
              ELSE 0.00
            END
          ) > c.paid
        ) THEN 'money'
      END,
      CASE
        WHEN receiver_name ($1, i.receiver) IS NULL THEN 'receiver'
      END,
      CASE
        WHEN i.cost IS NULL THEN 'cost'
      END
    ],
    NULL
  ) AS bars
FROM
  items_to_order k
  JOIN contract_items i ON i.tenant_id = $1
  AND i.id = k.item_id
  JOIN contracts c ON c.tenant_id = $1
  AND c.id = i.contract_id
  JOIN sites w ON w.tenant_id = $1
  AND w.id = k.site_id
WHERE
  k.tenant_id = $1::uuid
  AND k.bc_id = $2::uuid
  AND k.item_id = ANY ($3::uuid[]);

-- orders.known, shortest
SELECT DISTINCT
  p.item_id AS id
FROM
  pieces p
WHERE
  p.tenant_id = $1::uuid
  AND p.item_id = $2::uuid;

-- orders.known, longest
SELECT DISTINCT
  p.item_id AS id
FROM
  pieces p
WHERE
  p.tenant_id = $1::uuid
  AND p.bc_id = $2::uuid
  AND p.item_id = ANY ($3::uuid[]);

-- orders.lapse
UPDATE orders o
SET
  ask = '',
  ask_side = '',
  version = o.version + 1
WHERE
  o.tenant_id = $1
  AND o.id = $2
  AND o.ask = 'withdraw'
RETURNING
  o.id,
  o.code,
  o.bc_id,
  o.site_id AS place_id,
  o.receiver_id,
  o.ask_by;

-- orders.lessen
UPDATE orders o
SET
  placed_amount = x.amount,
  placed_lines = x.lines
FROM
  (
    SELECT
      count(*)::int AS lines,
      coalesce(sum(round(l.quantity * l.price, 2)), 0) AS amount
    FROM
      order_lines l
    WHERE
      l.tenant_id = $1
      AND l.order_id = $2
      AND l.quantity > 0
  ) x
WHERE
  o.tenant_id = $1
  AND o.id = $2;

-- orders.lessenline
UPDATE order_lines l
SET
  quantity = $3
WHERE
  l.tenant_id = $1
  AND l.id = $2;

-- orders.lines
SELECT
  l.id,
  l.item_id,
  l.name,
  l.unit,
  trim_scale(l.quantity)::text AS quantity,
  trim_scale(l.price)::text AS price,
  trim_scale(i.pack)::text AS pack
FROM
  order_lines l
  JOIN contract_items i ON i.tenant_id = $1
  AND i.id = l.item_id
WHERE
  l.tenant_id = $1
  AND l.order_id = $2
ORDER BY
  l.sort;

-- orders.lock
SELECT
  o.id,
  o.code,
  o.bc_id,
  coalesce(b.bc_name, o.bc_name) AS bc_name,
  o.receiver_id,
  o.receiver_name AS "receiverName",
  CASE
    WHEN true THEN o.site_id::text
    ELSE ''
  END AS site_id,
  CASE
    WHEN true THEN coalesce(w.ws_name, o.community)
    ELSE o.community
  END AS ws_name,
  o.community,
  o.batch,
  o.method,
  o.expected_on::text AS "expectedOn",
  o.receive_state AS "receiveState",
  o.ended,
  o.order_state AS "orderState",
  o.lines,
  o.lines_accepted AS "linesAccepted",
  o.amount::text AS amount,
  o.placed_lines AS "placedLines",
  o.placed_amount::text AS "placedAmount",
  floor(
    extract(epoch FROM o.made_at)
  )::float8 AS "madeAt",
  o.made_name AS "madeBy",
  o.made_by,
  floor(
    extract(epoch FROM o.due_at)
  )::float8 AS "dueAt",
  floor(
    extract(epoch FROM o.answered_at)
  )::float8 AS "answeredAt",
  floor(
    extract(epoch FROM o.urged_at)
  )::float8 AS "urgedAt",
  (
    o.ended = ''
    AND o.receive_state = 0
    AND o.due_at < :now
    OR o.ended IN ('', 'closed')
    AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
    AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date
    AND EXISTS (
      SELECT
        1
      FROM
        pieces x
      WHERE
        x.tenant_id = $1
        AND x.order_id = o.id
        AND x.order_state = ANY ('{2,3,4}'::smallint[])
    )
  ) AS late,
  o.ask,
  o.ask_side AS "askSide",
  o.ask_by AS "askBy",
  o.ask_name AS "askName",
  o.ask_reason AS "askReason",
  true AS buyer,
  true AS receiver,
  w.status AS "siteStatus",
  EXISTS (
    SELECT
      1
    FROM
      dispatches d
    WHERE
      d.tenant_id = $1
      AND d.order_id = o.id
      AND d.state NOT IN (0, 1)
  ) AS shipped,
  o.version,
  o.site_id AS place_id,
  o.contract_id,
  c.state = 'live' AS "contractLive",
  o.remark,
  o.revision,
  o.urged_at,
  o.expected_on
FROM
  orders o
  JOIN contracts c ON c.tenant_id = $1
  AND c.id = o.contract_id
  LEFT JOIN companies b ON b.tenant_id = $1
  AND b.bc_id = o.bc_id
  LEFT JOIN sites w ON w.tenant_id = $1
  AND w.id = o.site_id
WHERE
  o.tenant_id = $1
  AND o.id = $2
FOR UPDATE OF
  o;

-- orders.ofsite
SELECT
  o.id,
  o.receive_state IN (0, 1) AS over,
  EXISTS (
    SELECT
      1
    FROM
      dispatches d
    WHERE
      d.tenant_id = $1
      AND d.order_id = o.id
      AND d.state NOT IN (0, 1)
  ) AS shipped
FROM
  orders o
WHERE
  o.tenant_id = $1
  AND o.site_id = $2
  AND o.ended = ''
ORDER BY
  o.id
FOR UPDATE OF
  o;

-- orders.page, shortest
WITH
  page AS MATERIALIZED (
    SELECT
      o.*
    FROM
      orders o
    WHERE
      o.tenant_id = $1::uuid
    ORDER BY
      o.made_at DESC,
      o.id DESC
    LIMIT 20
  )
SELECT
  coalesce(
    (
      SELECT
        json_agg(r)
      FROM
        (
          SELECT
            o.id,
            o.code,
            o.bc_id,
            coalesce(b.bc_name, o.bc_name) AS bc_name,
            o.receiver_id,
            o.receiver_name AS "receiverName",
            CASE
              WHEN true THEN o.site_id::text
              ELSE ''
            END AS site_id,
            CASE
              WHEN true THEN coalesce(w.ws_name, o.community)
              ELSE o.community
            END AS ws_name,
            o.community,
            o.batch,
            o.method,
            o.expected_on::text AS "expectedOn",
            o.receive_state AS "receiveState",
            o.ended,
            o.order_state AS "orderState",
            o.lines,
            o.lines_accepted AS "linesAccepted",
            o.amount::text AS amount,
            o.placed_lines AS "placedLines",
            o.placed_amount::text AS "placedAmount",
            floor(
              extract(epoch FROM o.made_at)
            )::float8 AS "madeAt",
            o.made_name AS "madeBy",
            o.made_by,
            floor(
              extract(epoch FROM o.due_at)
            )::float8 AS "dueAt",
            floor(
              extract(epoch FROM o.answered_at)
            )::float8 AS "answeredAt",
            floor(
              extract(epoch FROM o.urged_at)
            )::float8 AS "urgedAt",
            (
              o.ended = ''
              AND o.receive_state = 0
              AND o.due_at < :now
              OR o.ended IN ('', 'closed')
              AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
              AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date
              AND EXISTS (
                SELECT
                  1
                FROM
                  pieces x
                WHERE
                  x.tenant_id = $1
                  AND x.order_id = o.id
                  AND x.order_state = ANY ('{2,3,4}'::smallint[])
              )
            ) AS late,
            o.ask,
            o.ask_side AS "askSide",
            o.ask_by AS "askBy",
            o.ask_name AS "askName",
            o.ask_reason AS "askReason",
            true AS buyer,
            true AS receiver,
            w.status AS "siteStatus",
            EXISTS (
              SELECT
                1
              FROM
                dispatches d
              WHERE
                d.tenant_id = $1
                AND d.order_id = o.id
                AND d.state NOT IN (0, 1)
            ) AS shipped,
            o.version
          FROM
            page o
            LEFT JOIN companies b ON b.tenant_id = $1
            AND b.bc_id = o.bc_id
            LEFT JOIN sites w ON w.tenant_id = $1
            AND w.id = o.site_id
          ORDER BY
            o.made_at DESC,
            o.id DESC
        ) r
    ),
    '[]'::json
  )::text AS list,
  (
    SELECT
      coalesce(sum(k.count), 0)
    FROM
      order_counts k
    WHERE
      k.tenant_id = $1::uuid
  )::int AS total;

-- orders.page, longest
WITH
  page AS MATERIALIZED (
    SELECT
      o.*
    FROM
      orders o
    WHERE
      o.tenant_id = $1::uuid
      AND (
        o.bc_id = ANY ($2::uuid[])
        OR o.receiver_id = ANY ($3::uuid[])
      )
      AND EXISTS (
        SELECT
          1
        FROM
          pieces x
        WHERE
          x.tenant_id = $1
          AND x.order_id = o.id
          AND x.order_state = ANY ($4::smallint[])
      )
      AND (
        o.ended = ''
        AND o.receive_state = 0
        AND o.due_at < :now
        OR o.ended IN ('', 'closed')
        AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
        AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date
        AND EXISTS (
          SELECT
            1
          FROM
            pieces x
          WHERE
            x.tenant_id = $1
            AND x.order_id = o.id
            AND x.order_state = ANY ('{2,3,4}'::smallint[])
        )
      )
    ORDER BY
      o.made_at DESC,
      o.id DESC
    LIMIT 100
  )
SELECT
  coalesce(
    (
      SELECT
        json_agg(r)
      FROM
        (
          SELECT
            o.id,
            o.code,
            o.bc_id,
            coalesce(b.bc_name, o.bc_name) AS bc_name,
            o.receiver_id,
            o.receiver_name AS "receiverName",
            CASE
              WHEN (o.bc_id = ANY ($2::uuid[])) THEN o.site_id::text
              ELSE ''
            END AS site_id,
            CASE
              WHEN (o.bc_id = ANY ($2::uuid[])) THEN coalesce(w.ws_name, o.community)
              ELSE o.community
            END AS ws_name,
            o.community,
            o.batch,
            o.method,
            o.expected_on::text AS "expectedOn",
            o.receive_state AS "receiveState",
            o.ended,
            o.order_state AS "orderState",
            o.lines,
            o.lines_accepted AS "linesAccepted",
            o.amount::text AS amount,
            o.placed_lines AS "placedLines",
            o.placed_amount::text AS "placedAmount",
            floor(
              extract(epoch FROM o.made_at)
            )::float8 AS "madeAt",
            o.made_name AS "madeBy",
            o.made_by,
            floor(
              extract(epoch FROM o.due_at)
            )::float8 AS "dueAt",
            floor(
              extract(epoch FROM o.answered_at)
            )::float8 AS "answeredAt",
            floor(
              extract(epoch FROM o.urged_at)
            )::float8 AS "urgedAt",
            (
              o.ended = ''
              AND o.receive_state = 0
              AND o.due_at < :now
              OR o.ended IN ('', 'closed')
              AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
              AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date
              AND EXISTS (
                SELECT
                  1
                FROM
                  pieces x
                WHERE
                  x.tenant_id = $1
                  AND x.order_id = o.id
                  AND x.order_state = ANY ('{2,3,4}'::smallint[])
              )
            ) AS late,
            o.ask,
            o.ask_side AS "askSide",
            o.ask_by AS "askBy",
            o.ask_name AS "askName",
            o.ask_reason AS "askReason",
            (o.bc_id = ANY ($2::uuid[])) AS buyer,
            (o.receiver_id = ANY ($3::uuid[])) AS receiver,
            w.status AS "siteStatus",
            EXISTS (
              SELECT
                1
              FROM
                dispatches d
              WHERE
                d.tenant_id = $1
                AND d.order_id = o.id
                AND d.state NOT IN (0, 1)
            ) AS shipped,
            o.version
          FROM
            page o
            LEFT JOIN companies b ON b.tenant_id = $1
            AND b.bc_id = o.bc_id
            LEFT JOIN sites w ON w.tenant_id = $1
            AND w.id = o.site_id
          ORDER BY
            o.made_at DESC,
            o.id DESC
        ) r
    ),
    '[]'::json
  )::text AS list,
  (
    SELECT
      count(*)
    FROM
      orders o
    WHERE
      o.tenant_id = $1::uuid
      AND (
        o.bc_id = ANY ($2::uuid[])
        OR o.receiver_id = ANY ($3::uuid[])
      )
      AND EXISTS (
        SELECT
          1
        FROM
          pieces x
        WHERE
          x.tenant_id = $1
          AND x.order_id = o.id
          AND x.order_state = ANY ($4::smallint[])
      )
      AND (
        o.ended = ''
        AND o.receive_state = 0
        AND o.due_at < :now
        OR o.ended IN ('', 'closed')
        AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
        AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date
        AND EXISTS (
          SELECT
            1
          FROM
            pieces x
          WHERE
            x.tenant_id = $1
            AND x.order_id = o.id
            AND x.order_state = ANY ('{2,3,4}'::smallint[])
        )
      )
  )::int AS total;

-- orders.parties, shortest
SELECT
  o.bc_id,
  o.receiver_id,
  true AS buyer,
  true AS receiver
FROM
  orders o
WHERE
  o.tenant_id = $1::uuid
  AND o.id = $2::uuid;

-- orders.parties, longest
SELECT
  o.bc_id,
  o.receiver_id,
  (o.bc_id = ANY ($2::uuid[])) AS buyer,
  (o.receiver_id = ANY ($3::uuid[])) AS receiver
FROM
  orders o
WHERE
  o.tenant_id = $1::uuid
  AND (
    o.bc_id = ANY ($2::uuid[])
    OR o.receiver_id = ANY ($3::uuid[])
  )
  AND o.id = $4::uuid;

-- orders.place
INSERT INTO
  orders (
    tenant_id,
    id,
    code,
    bc_id,
    bc_name,
    receiver_id,
    receiver_name,
    site_id,
    contract_id,
    batch,
    method,
    expected_on,
    remark,
    community,
    address,
    contact,
    contact_phone,
    made_by,
    made_name,
    made_at,
    due_at,
    lines,
    amount,
    placed_lines,
    placed_amount
  )
VALUES
  (
    $1,
    $2,
    $3,
    $4,
    $5,
    $6,
    $7,
    $8,
    $9,
    $10,
    $11,
    $12,
    $13,
    $14,
    $15,
    $16,
    $17,
    $18,
    $19,
    :now,
    $20,
    $21,
    $22,
    $21,
    $22
  );

-- orders.plan, shortest
WITH
  page AS MATERIALIZED (
    SELECT
      k.*
    FROM
      items_to_order k
    WHERE
      k.tenant_id = $1::uuid
    ORDER BY
      k.suggested_on ASC NULLS LAST,
      k.site_id ASC,
      k.stage ASC,
      k.item_id ASC
    LIMIT 20
  )
SELECT
  coalesce(
    (
      SELECT
        json_agg(r)
      FROM
        (
          SELECT
            k.item_id AS id,
            k.bc_id,
            b.bc_name,
            k.site_id,
            w.ws_name,
            c.id AS contract_id,
            c.code AS "contractCode",
            k.stage,
            i.room,
            concat_ws(' / ', j.name, h.name, g.name) AS category,
            i.code,
            i.name,
            i.detail,
            i.unit,
            i.attribute,
            trim_scale(k.quantity)::text AS quantity,
            trim_scale(k.held)::text AS held,
            trim_scale(i.pack)::text AS pack,
            i.receiver AS receiver_id,
            i.receiver_name AS "receiverName",
            k.lead_days AS "leadDays",
            k.stage_on::text AS "stageOn",
            k.suggested_on::text AS "suggestedOn",
            coalesce(k.suggested_on < (:now AT TIME ZONE 'Asia/Shanghai')::date, false) AS late,
            a.ready_on::text AS "readyOn",
            1 AS "orderState",
            array_remove(
              ARRAY[
                CASE
                  WHEN i.product_id IS NULL
                  AND i.contract_attribute = 1 THEN 'product'
                END,
                CASE
                  WHEN EXISTS (
                    SELECT
                      1
                    FROM
                      contract_change_lines x
                      JOIN contract_changes y ON y.tenant_id = $1
                      AND y.id = x.change_id
                    WHERE
                      x.tenant_id = $1
                      AND x.item_id = i.id
                      AND y.status = 2
                  ) THEN 'change'
                END,
                CASE
                  WHEN (
                    (
                      coalesce(
                        (
                          SELECT
                            s.value
                          FROM
                            settings s
                          WHERE
                            s.tenant_id = $1
                            AND s.key = 'payFirst'
                            AND (
                              s.bc_id = c.bc_id
                              OR s.bc_id IS NULL
                            )
                          ORDER BY
                            s.bc_id NULLS LAST
                          LIMIT 1
                        ),
                        'false'::jsonb
                      )
                    )::boolean
                    AND (
                      CASE c.state
                        WHEN 'live' THEN (
                          SELECT
                            coalesce(sum(i.amount), 0.00)
                          FROM
                            contract_instalments i
                            LEFT JOIN site_stages g ON g.tenant_id = $1
                            AND g.site_id = c.site_id
                            AND g.stage = i.stage
                          WHERE
                            i.tenant_id = $1
                            AND i.contract_id = c.id
                            AND CASE
                              WHEN i.change_id IS NOT NULL THEN i.due_on
                              WHEN i.stage IS NULL THEN c.signed_on
                              ELSE g.actual_start
                            END IS NOT NULL
                        )
                        WHEN 'ending' THEN c.end_value
                        WHEN 'ended' THEN c.end_value
                        ELSE 0.00
                      END
                    ) > c.paid
                  ) THEN 'money'
                END,
                CASE
                  WHEN receiver_name ($1, i.receiver) IS NULL THEN 'receiver'
                END,
                CASE
                  WHEN i.cost IS NULL THEN 'cost'
                END
              ],
              NULL
            ) AS bars
          FROM
            page k
            JOIN contract_items i ON i.tenant_id = $1
            AND i.id = k.item_id
            JOIN contracts c ON c.tenant_id = $1
            AND c.id = i.contract_id
            JOIN sites w ON w.tenant_id = $1
            AND w.id = k.site_id
            LEFT JOIN products d ON d.tenant_id = $1
            AND d.id = k.product_id
            LEFT JOIN product_categories g ON g.tenant_id = $1
            AND g.id = d.category_id
            LEFT JOIN product_categories h ON h.tenant_id = $1
            AND h.id = g.parent_id
            LEFT JOIN product_categories j ON j.tenant_id = $1
            AND j.id = h.parent_id
            JOIN companies b ON b.tenant_id = $1
            AND b.bc_id = k.bc_id
            LEFT JOIN site_arrivals a ON a.tenant_id = $1
            AND a.site_id = k.site_id
          ORDER BY
            k.suggested_on ASC NULLS LAST,
            k.site_id ASC,
            k.stage ASC,
            k.item_id ASC
        ) r
    ),
    '[]'::json
  )::text AS list,
  (
    SELECT
      coalesce(sum(k.count), 0)
    FROM
      to_order_counts k
    WHERE
      k.tenant_id = $1::uuid
  )::int AS total;

-- orders.plan, longest
WITH
  page AS MATERIALIZED (
    SELECT
      k.*
    FROM
      items_to_order k
    WHERE
      k.tenant_id = $1::uuid
      AND k.bc_id = $2::uuid
      AND k.site_id = $3::uuid
      AND EXISTS (
        SELECT
        FROM
          (
            SELECT
              k.*
          ) k
          JOIN contract_items i ON i.tenant_id = $1
          AND i.id = k.item_id
          JOIN contracts c ON c.tenant_id = $1
          AND c.id = i.contract_id
          JOIN sites w ON w.tenant_id = $1
          AND w.id = k.site_id
          LEFT JOIN products d ON d.tenant_id = $1
          AND d.id = k.product_id
          LEFT JOIN product_categories g ON g.tenant_id = $1
          AND g.id = d.category_id
          LEFT JOIN product_categories h ON h.tenant_id = $1
          AND h.id = g.parent_id
          LEFT JOIN product_categories j ON j.tenant_id = $1
          AND j.id = h.parent_id
        WHERE
          i.receiver = $4::uuid
      )
      AND (
        k.quantity > 0
        AND EXISTS (
          SELECT
          FROM
            (
              SELECT
                k.*
            ) k
            JOIN contract_items i ON i.tenant_id = $1
            AND i.id = k.item_id
            JOIN contracts c ON c.tenant_id = $1
            AND c.id = i.contract_id
            JOIN sites w ON w.tenant_id = $1
            AND w.id = k.site_id
            LEFT JOIN products d ON d.tenant_id = $1
            AND d.id = k.product_id
            LEFT JOIN product_categories g ON g.tenant_id = $1
            AND g.id = d.category_id
            LEFT JOIN product_categories h ON h.tenant_id = $1
            AND h.id = g.parent_id
            LEFT JOIN product_categories j ON j.tenant_id = $1
            AND j.id = h.parent_id
          WHERE
            array_remove(
              ARRAY[
                CASE
                  WHEN i.product_id IS NULL
                  AND i.contract_attribute = 1 THEN 'product'
                END,
                CASE
                  WHEN EXISTS (
                    SELECT
                      1
                    FROM
                      contract_change_lines x
                      JOIN contract_changes y ON y.tenant_id = $1
                      AND y.id = x.change_id
                    WHERE
                      x.tenant_id = $1
                      AND x.item_id = i.id
                      AND y.status = 2
                  ) THEN 'change'
                END,
                CASE
                  WHEN (
                    (
                      coalesce(
                        (
                          SELECT
                            s.value
                          FROM
                            settings s
                          WHERE
                            s.tenant_id = $1
                            AND s.key = 'payFirst'
                            AND (
                              s.bc_id = c.bc_id
                              OR s.bc_id IS NULL
                            )
                          ORDER BY
                            s.bc_id NULLS LAST
                          LIMIT 1
                        ),
                        'false'::jsonb
                      )
                    )::boolean
                    AND (
                      CASE c.state
                        WHEN 'live' THEN (
                          SELECT
                            coalesce(sum(i.amount), 0.00)
                          FROM
                            contract_instalments i
                            LEFT JOIN site_stages g ON g.tenant_id = $1
                            AND g.site_id = c.site_id
                            AND g.stage = i.stage
                          WHERE
                            i.tenant_id = $1
                            AND i.contract_id = c.id
                            AND CASE
                              WHEN i.change_id IS NOT NULL THEN i.due_on
                              WHEN i.stage IS NULL THEN c.signed_on
                              ELSE g.actual_start
                            END IS NOT NULL
                        )
                        WHEN 'ending' THEN c.end_value
                        WHEN 'ended' THEN c.end_value
                        ELSE 0.00
                      END
                    ) > c.paid
                  ) THEN 'money'
                END,
                CASE
                  WHEN receiver_name ($1, i.receiver) IS NULL THEN 'receiver'
                END,
                CASE
                  WHEN i.cost IS NULL THEN 'cost'
                END
              ],
              NULL
            ) = '{}'
        )
      )
    ORDER BY
      k.suggested_on ASC NULLS LAST,
      k.site_id ASC,
      k.stage ASC,
      k.item_id ASC
    LIMIT 6
  )
SELECT
  coalesce(
    (
      SELECT
        json_agg(r)
      FROM
        (
          SELECT
            k.item_id AS id,
            k.bc_id,
            b.bc_name,
            k.site_id,
            w.ws_name,
            c.id AS contract_id,
            c.code AS "contractCode",
            k.stage,
            i.room,
            concat_ws(' / ', j.name, h.name, g.name) AS category,
            i.code,
            i.name,
            i.detail,
            i.unit,
            i.attribute,
            trim_scale(k.quantity)::text AS quantity,
            trim_scale(k.held)::text AS held,
            trim_scale(i.pack)::text AS pack,
            i.receiver AS receiver_id,
            i.receiver_name AS "receiverName",
            k.lead_days AS "leadDays",
            k.stage_on::text AS "stageOn",
            k.suggested_on::text AS "suggestedOn",
            coalesce(k.suggested_on < (:now AT TIME ZONE 'Asia/Shanghai')::date, false) AS late,
            a.ready_on::text AS "readyOn",
            1 AS "orderState",
            array_remove(
              ARRAY[
                CASE
                  WHEN i.product_id IS NULL
                  AND i.contract_attribute = 1 THEN 'product'
                END,
                CASE
                  WHEN EXISTS (
                    SELECT
                      1
                    FROM
                      contract_change_lines x
                      JOIN contract_changes y ON y.tenant_id = $1
                      AND y.id = x.change_id
                    WHERE
                      x.tenant_id = $1
                      AND x.item_id = i.id
                      AND y.status = 2
                  ) THEN 'change'
                END,
                CASE
                  WHEN (
                    (
                      coalesce(
                        (
                          SELECT
                            s.value
                          FROM
                            settings s
                          WHERE
                            s.tenant_id = $1
                            AND s.key = 'payFirst'
                            AND (
                              s.bc_id = c.bc_id
                              OR s.bc_id IS NULL
                            )
                          ORDER BY
                            s.bc_id NULLS LAST
                          LIMIT 1
                        ),
                        'false'::jsonb
                      )
                    )::boolean
                    AND (
                      CASE c.state
                        WHEN 'live' THEN (
                          SELECT
                            coalesce(sum(i.amount), 0.00)
                          FROM
                            contract_instalments i
                            LEFT JOIN site_stages g ON g.tenant_id = $1
                            AND g.site_id = c.site_id
                            AND g.stage = i.stage
                          WHERE
                            i.tenant_id = $1
                            AND i.contract_id = c.id
                            AND CASE
                              WHEN i.change_id IS NOT NULL THEN i.due_on
                              WHEN i.stage IS NULL THEN c.signed_on
                              ELSE g.actual_start
                            END IS NOT NULL
                        )
                        WHEN 'ending' THEN c.end_value
                        WHEN 'ended' THEN c.end_value
                        ELSE 0.00
                      END
                    ) > c.paid
                  ) THEN 'money'
                END,
                CASE
                  WHEN receiver_name ($1, i.receiver) IS NULL THEN 'receiver'
                END,
                CASE
                  WHEN i.cost IS NULL THEN 'cost'
                END
              ],
              NULL
            ) AS bars
          FROM
            page k
            JOIN contract_items i ON i.tenant_id = $1
            AND i.id = k.item_id
            JOIN contracts c ON c.tenant_id = $1
            AND c.id = i.contract_id
            JOIN sites w ON w.tenant_id = $1
            AND w.id = k.site_id
            LEFT JOIN products d ON d.tenant_id = $1
            AND d.id = k.product_id
            LEFT JOIN product_categories g ON g.tenant_id = $1
            AND g.id = d.category_id
            LEFT JOIN product_categories h ON h.tenant_id = $1
            AND h.id = g.parent_id
            LEFT JOIN product_categories j ON j.tenant_id = $1
            AND j.id = h.parent_id
            JOIN companies b ON b.tenant_id = $1
            AND b.bc_id = k.bc_id
            LEFT JOIN site_arrivals a ON a.tenant_id = $1
            AND a.site_id = k.site_id
          ORDER BY
            k.suggested_on ASC NULLS LAST,
            k.site_id ASC,
            k.stage ASC,
            k.item_id ASC
        ) r
    ),
    '[]'::json
  )::text AS list,
  (
    SELECT
      count(*)
    FROM
      items_to_order k
    WHERE
      k.tenant_id = $1::uuid
      AND k.bc_id = $2::uuid
      AND k.site_id = $3::uuid
      AND EXISTS (
        SELECT
        FROM
          (
            SELECT
              k.*
          ) k
          JOIN contract_items i ON i.tenant_id = $1
          AND i.id = k.item_id
          JOIN contracts c ON c.tenant_id = $1
          AND c.id = i.contract_id
          JOIN sites w ON w.tenant_id = $1
          AND w.id = k.site_id
          LEFT JOIN products d ON d.tenant_id = $1
          AND d.id = k.product_id
          LEFT JOIN product_categories g ON g.tenant_id = $1
          AND g.id = d.category_id
          LEFT JOIN product_categories h ON h.tenant_id = $1
          AND h.id = g.parent_id
          LEFT JOIN product_categories j ON j.tenant_id = $1
          AND j.id = h.parent_id
        WHERE
          i.receiver = $4::uuid
      )
      AND (
        k.quantity > 0
        AND EXISTS (
          SELECT
          FROM
            (
              SELECT
                k.*
            ) k
            JOIN contract_items i ON i.tenant_id = $1
            AND i.id = k.item_id
            JOIN contracts c ON c.tenant_id = $1
            AND c.id = i.contract_id
            JOIN sites w ON w.tenant_id = $1
            AND w.id = k.site_id
            LEFT JOIN products d ON d.tenant_id = $1
            AND d.id = k.product_id
            LEFT JOIN product_categories g ON g.tenant_id = $1
            AND g.id = d.category_id
            LEFT JOIN product_categories h ON h.tenant_id = $1
            AND h.id = g.parent_id
            LEFT JOIN product_categories j ON j.tenant_id = $1
            AND j.id = h.parent_id
          WHERE
            array_remove(
              ARRAY[
                CASE
                  WHEN i.product_id IS NULL
                  AND i.contract_attribute = 1 THEN 'product'
                END,
                CASE
                  WHEN EXISTS (
                    SELECT
                      1
                    FROM
                      contract_change_lines x
                      JOIN contract_changes y ON y.tenant_id = $1
                      AND y.id = x.change_id
                    WHERE
                      x.tenant_id = $1
                      AND x.item_id = i.id
                      AND y.status = 2
                  ) THEN 'change'
                END,
                CASE
                  WHEN (
                    (
                      coalesce(
                        (
                          SELECT
                            s.value
                          FROM
                            settings s
                          WHERE
                            s.tenant_id = $1
                            AND s.key = 'payFirst'
                            AND (
                              s.bc_id = c.bc_id
                              OR s.bc_id IS NULL
                            )
                          ORDER BY
                            s.bc_id NULLS LAST
                          LIMIT 1
                        ),
                        'false'::jsonb
                      )
                    )::boolean
                    AND (
                      CASE c.state
                        WHEN 'live' THEN (
                          SELECT
                            coalesce(sum(i.amount), 0.00)
                          FROM
                            contract_instalments i
                            LEFT JOIN site_stages g ON g.tenant_id = $1
                            AND g.site_id = c.site_id
                            AND g.stage = i.stage
                          WHERE
                            i.tenant_id = $1
                            AND i.contract_id = c.id
                            AND CASE
                              WHEN i.change_id IS NOT NULL THEN i.due_on
                              WHEN i.stage IS NULL THEN c.signed_on
                              ELSE g.actual_start
                            END IS NOT NULL
                        )
                        WHEN 'ending' THEN c.end_value
                        WHEN 'ended' THEN c.end_value
                        ELSE 0.00
                      END
                    ) > c.paid
                  ) THEN 'money'
                END,
                CASE
                  WHEN receiver_name ($1, i.receiver) IS NULL THEN 'receiver'
                END,
                CASE
                  WHEN i.cost IS NULL THEN 'cost'
                END
              ],
              NULL
            ) = '{}'
        )
      )
  )::int AS total;

-- orders.promise
UPDATE order_lines l
SET
  promised_on = x.day
FROM
  json_to_recordset($3::json) AS x (id uuid, day date)
WHERE
  l.tenant_id = $1
  AND l.order_id = $2
  AND l.id = x.id;

-- orders.ready
INSERT INTO
  site_arrivals AS a (tenant_id, site_id, bc_id, ready_on, place, user_name, at)
VALUES
  ($1, $2, $3, $4, $5, $6, :now)
ON CONFLICT (tenant_id, site_id) DO UPDATE
SET
  ready_on = $4,
  place = $5,
  user_name = $6,
  at = :now,
  version = a.version + 1;

-- orders.readysite, shortest
SELECT
  w.bc_id
FROM
  sites w
WHERE
  w.tenant_id = $1::uuid
  AND w.deleted_at IS NULL
  AND w.id = $2::uuid;

-- orders.readysite, longest
SELECT
  w.bc_id
FROM
  sites w
WHERE
  w.tenant_id = $1::uuid
  AND w.id = ANY ($2::uuid[])
  AND w.deleted_at IS NULL
  AND w.id = $3::uuid;

-- orders.reject
UPDATE orders o
SET
  receive_state = 1,
  reject_code = $3,
  reason = $4,
  answered_at = :now,
  answered_by = $5
WHERE
  o.tenant_id = $1
  AND o.id = $2;

-- orders.remind
SELECT
  o.id,
  o.code,
  o.receiver_id,
  o.receiver_name AS receiver,
  o.made_by
FROM
  orders o
WHERE
  o.tenant_id = $1
  AND o.receive_state = 0
  AND o.ended = ''
  AND o.due_at BETWEEN :now - interval '14 days' AND :now
  AND NOT EXISTS (
    SELECT
      1
    FROM
      reminders m
    WHERE
      m.tenant_id = $1
      AND m.cause_kind = 'order'
      AND m.cause_id = o.id::text
      AND m.step = 'due'
  )
ORDER BY
  o.id
LIMIT 500
FOR UPDATE OF
  o SKIP LOCKED;

-- orders.resubmit
UPDATE orders o
SET
  receive_state = 0,
  revision = o.revision + 1,
  expected_on = $3,
  remark = $4,
  reject_code = '',
  reason = '',
  answered_at = NULL,
  answered_by = '',
  due_at = $5,
  urged_at = NULL
WHERE
  o.tenant_id = $1
  AND o.id = $2;

-- orders.site
SELECT
  w.bc_id,
  b.bc_name,
  coalesce(nullif(w.community, ''), w.code) AS community,
  w.address,
  coalesce(m.nickname, '') AS contact,
  coalesce(m.phone, '') AS phone
FROM
  sites w
  JOIN companies b ON b.tenant_id = $1
  AND b.bc_id = w.bc_id
  LEFT JOIN users m ON m.tenant_id = $1
  AND m.id = w.manager_id
WHERE
  w.tenant_id = $1
  AND w.id = $2;

-- orders.split
INSERT INTO
  orders (
    tenant_id,
    id,
    code,
    bc_id,
    bc_name,
    receiver_id,
    receiver_name,
    site_id,
    contract_id,
    parent_id,
    batch,
    method,
    expected_on,
    remark,
    community,
    address,
    contact,
    contact_phone,
    made_by,
    made_name,
    made_at,
    due_at,
    lines,
    amount,
    placed_lines,
    placed_amount
  )
SELECT
  o.tenant_id,
  $3,
  $4,
  o.bc_id,
  o.bc_name,
  o.receiver_id,
  o.receiver_name,
  o.site_id,
  o.contract_id,
  o.id,
  o.batch,
  o.method,
  o.expected_on,
  o.remark,
  o.community,
  o.address,
  o.contact,
  o.contact_phone,
  o.made_by,
  o.made_name,
  o.made_at,
  o.due_at,
  $5,
  $6,
  $5,
  $6
FROM
  orders o
WHERE
  o.tenant_id = $1
  AND o.id = $2;

-- orders.splitline
INSERT INTO
  order_lines (tenant_id, id, order_id, item_id, sort, code, name, detail, unit, stage, quantity, price)
SELECT
  l.tenant_id,
  $3,
  $4,
  l.item_id,
  $5,
  l.code,
  l.name,
  l.detail,
  l.unit,
  l.stage,
  $6,
  l.price
FROM
  order_lines l
WHERE
  l.tenant_id = $1
  AND l.id = $2;

-- orders.splits
SELECT
  coalesce(
    max(
      substring(
        o.code
        FROM
          '-(\d+)$'
      )::int
    ),
    1
  ) AS last
FROM
  orders o
WHERE
  o.tenant_id = $1
  AND (
    o.code = $2
    OR o.code LIKE $2 || '-%'
  );

-- orders.statement, shortest
WITH
  lines AS (
    SELECT
      (
        array_agg(
          m.id
          ORDER BY
            m.at,
            m.id
        )
      ) [1] AS id,
      max(m.at) AS at,
      o.code AS order_code,
      coalesce(d.sheet_code, '') AS sheet,
      l.name,
      l.detail,
      l.unit,
      sum(m.quantity) AS quantity,
      l.price,
      m.sign * round(sum(m.quantity) * l.price, 2) AS amount,
      m.sign
    FROM
      (
        SELECT
          j.id,
          j.at,
          j.line_id,
          j.note_id,
          j.quantity,
          1 AS sign
        FROM
          judgements j
        WHERE
          j.tenant_id = $1
          AND j.result = 2
        UNION ALL
        SELECT
          v.id,
          v.at,
          p.line_id,
          v.note_id,
          v.quantity,
          -1
        FROM
          goods_moves v
          JOIN pieces p ON p.tenant_id = $1
          AND p.id = v.piece_id
        WHERE
          v.tenant_id = $1
          AND v.kind IN ('back', 'scrapped')
          AND EXISTS (
            SELECT
              1
            FROM
              judgements j
            WHERE
              j.tenant_id = $1
              AND j.piece_id = v.piece_id
              AND j.result = 2
              AND j.at < v.at
          )
      ) m
      JOIN order_lines l ON l.tenant_id = $1
      AND l.id = m.line_id
      JOIN orders o ON o.tenant_id = $1
      AND o.id = l.order_id
      LEFT JOIN dispatches d ON d.tenant_id = $1
      AND d.id = m.note_id
    WHERE
      o.tenant_id = $1::uuid
      AND o.receiver_id = $2::uuid
      AND m.at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND m.at < (($3::date + interval '1 month')::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    GROUP BY
      o.code,
      d.sheet_code,
      l.id,
      l.name,
      l.detail,
      l.unit,
      l.price,
      m.sign
  )
SELECT
  (
    SELECT
      max(o.receiver_name)
    FROM
      orders o
    WHERE
      o.tenant_id = $1::uuid
      AND o.receiver_id = $2::uuid
  ) AS name,
  coalesce(
    json_agg(
      json_build_object(
        'id',
        k.id,
        'at',
        floor(
          extract(epoch FROM k.at)
        )::float8,
        'orderCode',
        k.order_code,
        'sheetCode',
        k.sheet,
        'name',
        k.name,
        'detail',
        k.detail,
        'unit',
        k.unit,
        'quantity',
        trim_scale(k.quantity)::text,
        'price',
        trim_scale(k.price)::text,
        'amount',
        k.amount::text
      )
      ORDER BY
        k.at,
        k.id
    ),
    '[]'
  ) AS lines,
  coalesce(
    sum(k.amount) FILTER (
      WHERE
        k.sign = 1
    ),
    0.00
  )::text AS accepted,
  coalesce(
    - sum(k.amount) FILTER (
      WHERE
        k.sign = -1
    ),
    0.00
  )::text AS returned
FROM
  lines k;

-- orders.statement, longest
WITH
  lines AS (
    SELECT
      (
        array_agg(
          m.id
          ORDER BY
            m.at,
            m.id
        )
      ) [1] AS id,
      max(m.at) AS at,
      o.code AS order_code,
      coalesce(d.sheet_code, '') AS sheet,
      l.name,
      l.detail,
      l.unit,
      sum(m.quantity) AS quantity,
      l.price,
      m.sign * round(sum(m.quantity) * l.price, 2) AS amount,
      m.sign
    FROM
      (
        SELECT
          j.id,
          j.at,
          j.line_id,
          j.note_id,
          j.quantity,
          1 AS sign
        FROM
          judgements j
        WHERE
          j.tenant_id = $1
          AND j.result = 2
        UNION ALL
        SELECT
          v.id,
          v.at,
          p.line_id,
          v.note_id,
          v.quantity,
          -1
        FROM
          goods_moves v
          JOIN pieces p ON p.tenant_id = $1
          AND p.id = v.piece_id
        WHERE
          v.tenant_id = $1
          AND v.kind IN ('back', 'scrapped')
          AND EXISTS (
            SELECT
              1
            FROM
              judgements j
            WHERE
              j.tenant_id = $1
              AND j.piece_id = v.piece_id
              AND j.result = 2
              AND j.at < v.at
          )
      ) m
      JOIN order_lines l ON l.tenant_id = $1
      AND l.id = m.line_id
      JOIN orders o ON o.tenant_id = $1
      AND o.id = l.order_id
      LEFT JOIN dispatches d ON d.tenant_id = $1
      AND d.id = m.note_id
    WHERE
      o.tenant_id = $1::uuid
      AND (
        o.bc_id = ANY ($2::uuid[])
        OR o.receiver_id = ANY ($3::uuid[])
      )
      AND o.receiver_id = $4::uuid
      AND m.at >= ($5::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND m.at < (($5::date + interval '1 month')::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    GROUP BY
      o.code,
      d.sheet_code,
      l.id,
      l.name,
      l.detail,
      l.unit,
      l.price,
      m.sign
  )
SELECT
  (
    SELECT
      max(o.receiver_name)
    FROM
      orders o
    WHERE
      o.tenant_id = $1::uuid
      AND (
        o.bc_id = ANY ($2::uuid[])
        OR o.receiver_id = ANY ($3::uuid[])
      )
      AND o.receiver_id = $4::uuid
  ) AS name,
  coalesce(
    json_agg(
      json_build_object(
        'id',
        k.id,
        'at',
        floor(
          extract(epoch FROM k.at)
        )::float8,
        'orderCode',
        k.order_code,
        'sheetCode',
        k.sheet,
        'name',
        k.name,
        'detail',
        k.detail,
        'unit',
        k.unit,
        'quantity',
        trim_scale(k.quantity)::text,
        'price',
        trim_scale(k.price)::text,
        'amount',
        k.amount::text
      )
      ORDER BY
        k.at,
        k.id
    ),
    '[]'
  ) AS lines,
  coalesce(
    sum(k.amount) FILTER (
      WHERE
        k.sign = 1
    ),
    0.00
  )::text AS accepted,
  coalesce(
    - sum(k.amount) FILTER (
      WHERE
        k.sign = -1
    ),
    0.00
  )::text AS returned
FROM
  lines k;

-- orders.terminated
UPDATE orders o
SET
  ended = 'terminated',
  receive_state = 1
WHERE
  o.tenant_id = $1
  AND o.id = $2;

-- orders.touch
UPDATE orders o
SET
  version = o.version + 1
WHERE
  o.tenant_id = $1
  AND o.id = $2;

-- orders.units, shortest
WITH
  page AS MATERIALIZED (
    SELECT
      e.*
    FROM
      (
        SELECT
          o.receiver_id,
          max(o.receiver_name) AS name,
          count(*) FILTER (
            WHERE
              true
              AND true
          )::int AS orders,
          count(*) FILTER (
            WHERE
              true
              AND o.receive_state = 0
              AND o.ended = ''
          )::int AS waiting,
          count(*) FILTER (
            WHERE
              true
              AND o.receive_state = 1
              AND o.ended = ''
          )::int AS rejected,
          count(*) FILTER (
            WHERE
              true
              AND o.receive_state = 2
          )::int AS accepted,
          count(*) FILTER (
            WHERE
              true
              AND (
                o.ended = ''
                AND o.receive_state = 0
                AND o.due_at < :now
                OR o.ended IN ('', 'closed')
                AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
                AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    pieces x
                  WHERE
                    x.tenant_id = $1
                    AND x.order_id = o.id
                    AND x.order_state = ANY ('{2,3,4}'::smallint[])
                )
              )
          )::int AS late,
          round(
            (
              extract(
                epoch
                FROM
                  avg(o.answered_at - o.made_at) FILTER (
                    WHERE
                      true
                  )
              ) / 3600
            )::numeric,
            1
          )::float8 AS answer_hours,
          m.sold,
          m.returned
        FROM
          orders o
          LEFT JOIN (
            SELECT
              k.receiver_id,
              sum(k.amount) FILTER (
                WHERE
                  k.sign = 1
              ) AS sold,
              sum(k.amount) FILTER (
                WHERE
                  k.sign = -1
              ) AS returned
            FROM
              (
                SELECT
                  o.receiver_id,
                  m.sign,
                  round(sum(m.quantity) * l.price, 2) AS amount
                FROM
                  (
                    SELECT
                      j.id,
                      j.at,
                      j.line_id,
                      j.note_id,
                      j.quantity,
                      1 AS sign
                    FROM
                      judgements j
                    WHERE
                      j.tenant_id = $1
                      AND j.result = 2
                    UNION ALL
                    SELECT
                      v.id,
                      v.at,
                      p.line_id,
                      v.note_id,
                      v.quantity,
                      -1
                    FROM
                      goods_moves v
                      JOIN pieces p ON p.tenant_id = $1
                      AND p.id = v.piece_id
                    WHERE
                      v.tenant_id = $1
                      AND v.kind IN ('back', 'scrapped')
                      AND EXISTS (
                        SELECT
                          1
                        FROM
                          judgements j
                        WHERE
                          j.tenant_id = $1
                          AND j.piece_id = v.piece_id
                          AND j.result = 2
                          AND j.at < v.at
                      )
                  ) m
                  JOIN order_lines l ON l.tenant_id = $1
                  AND l.id = m.line_id
                  JOIN orders o ON o.tenant_id = $1
                  AND o.id = l.order_id
                WHERE
                  o.tenant_id = $1::uuid
                  AND true
                GROUP BY
                  o.receiver_id,
                  m.note_id,
                  l.id,
                  l.price,
                  m.sign
              ) k
            GROUP BY
              k.receiver_id
          ) m ON m.receiver_id = o.receiver_id
        WHERE
          o.tenant_id = $1::uuid
        GROUP BY
          o.receiver_id,
          m.sold,
          m.returned
      ) e
    WHERE
      (
        e.orders > 0
        OR e.sold > 0
        OR e.returned > 0
      )
    ORDER BY
      e.orders DESC,
      e.receiver_id ASC
    LIMIT 20
  )
SELECT
  coalesce(
    (
      SELECT
        json_agg(r)
      FROM
        (
          SELECT
            e.receiver_id AS id,
            e.name,
            coalesce(b.bc_name, '') AS bc_name,
            e.orders,
            e.waiting,
            e.rejected,
            e.accepted,
            e.answer_hours AS "answerHours",
            e.late,
            (coalesce(e.sold, 0.00))::text AS "acceptedAmount",
            (coalesce(e.returned, 0.00))::text AS "returnedAmount",
            (coalesce(e.sold, 0.00) - coalesce(e.returned, 0.00))::text AS due
          FROM
            page e
            LEFT JOIN stores t ON t.tenant_id = $1
            AND t.id = e.receiver_id
            LEFT JOIN companies b ON b.tenant_id = $1
            AND b.bc_id = coalesce(t.bc_id, e.receiver_id)
          ORDER BY
            e.orders DESC,
            e.receiver_id ASC
        ) r
    ),
    '[]'::json
  )::text AS list,
  (
    SELECT
      count(*)
    FROM
      (
        SELECT
          o.receiver_id,
          max(o.receiver_name) AS name,
          count(*) FILTER (
            WHERE
              true
              AND true
          )::int AS orders,
          count(*) FILTER (
            WHERE
              true
              AND o.receive_state = 0
              AND o.ended = ''
          )::int AS waiting,
          count(*) FILTER (
            WHERE
              true
              AND o.receive_state = 1
              AND o.ended = ''
          )::int AS rejected,
          count(*) FILTER (
            WHERE
              true
              AND o.receive_state = 2
          )::int AS accepted,
          count(*) FILTER (
            WHERE
              true
              AND (
                o.ended = ''
                AND o.receive_state = 0
                AND o.due_at < :now
                OR o.ended IN ('', 'closed')
                AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
                AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    pieces x
                  WHERE
                    x.tenant_id = $1
                    AND x.order_id = o.id
                    AND x.order_state = ANY ('{2,3,4}'::smallint[])
                )
              )
          )::int AS late,
          round(
            (
              extract(
                epoch
                FROM
                  avg(o.answered_at - o.made_at) FILTER (
                    WHERE
                      true
                  )
              ) / 3600
            )::numeric,
            1
          )::float8 AS answer_hours,
          m.sold,
          m.returned
        FROM
          orders o
          LEFT JOIN (
            SELECT
              k.receiver_id,
              sum(k.amount) FILTER (
                WHERE
                  k.sign = 1
              ) AS sold,
              sum(k.amount) FILTER (
                WHERE
                  k.sign = -1
              ) AS returned
            FROM
              (
                SELECT
                  o.receiver_id,
                  m.sign,
                  round(sum(m.quantity) * l.price, 2) AS amount
                FROM
                  (
                    SELECT
                      j.id,
                      j.at,
                      j.line_id,
                      j.note_id,
                      j.quantity,
                      1 AS sign
                    FROM
                      judgements j
                    WHERE
                      j.tenant_id = $1
                      AND j.result = 2
                    UNION ALL
                    SELECT
                      v.id,
                      v.at,
                      p.line_id,
                      v.note_id,
                      v.quantity,
                      -1
                    FROM
                      goods_moves v
                      JOIN pieces p ON p.tenant_id = $1
                      AND p.id = v.piece_id
                    WHERE
                      v.tenant_id = $1
                      AND v.kind IN ('back', 'scrapped')
                      AND EXISTS (
                        SELECT
                          1
                        FROM
                          judgements j
                        WHERE
                          j.tenant_id = $1
                          AND j.piece_id = v.piece_id
                          AND j.result = 2
                          AND j.at < v.at
                      )
                  ) m
                  JOIN order_lines l ON l.tenant_id = $1
                  AND l.id = m.line_id
                  JOIN orders o ON o.tenant_id = $1
                  AND o.id = l.order_id
                WHERE
                  o.tenant_id = $1::uuid
                  AND true
                GROUP BY
                  o.receiver_id,
                  m.note_id,
                  l.id,
                  l.price,
                  m.sign
              ) k
            GROUP BY
              k.receiver_id
          ) m ON m.receiver_id = o.receiver_id
        WHERE
          o.tenant_id = $1::uuid
        GROUP BY
          o.receiver_id,
          m.sold,
          m.returned
      ) e
    WHERE
      (
        e.orders > 0
        OR e.sold > 0
        OR e.returned > 0
      )
  )::int AS total;

-- orders.units, longest
WITH
  page AS MATERIALIZED (
    SELECT
      e.*
    FROM
      (
        SELECT
          o.receiver_id,
          max(o.receiver_name) AS name,
          count(*) FILTER (
            WHERE
              o.made_at >= ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.made_at < (($5::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND true
          )::int AS orders,
          count(*) FILTER (
            WHERE
              o.made_at >= ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.made_at < (($5::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.receive_state = 0
              AND o.ended = ''
          )::int AS waiting,
          count(*) FILTER (
            WHERE
              o.made_at >= ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.made_at < (($5::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.receive_state = 1
              AND o.ended = ''
          )::int AS rejected,
          count(*) FILTER (
            WHERE
              o.made_at >= ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.made_at < (($5::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.receive_state = 2
          )::int AS accepted,
          count(*) FILTER (
            WHERE
              o.made_at >= ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.made_at < (($5::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND (
                o.ended = ''
                AND o.receive_state = 0
                AND o.due_at < :now
                OR o.ended IN ('', 'closed')
                AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
                AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    pieces x
                  WHERE
                    x.tenant_id = $1
                    AND x.order_id = o.id
                    AND x.order_state = ANY ('{2,3,4}'::smallint[])
                )
              )
          )::int AS late,
          round(
            (
              extract(
                epoch
                FROM
                  avg(o.answered_at - o.made_at) FILTER (
                    WHERE
                      o.made_at >= ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai')
                      AND o.made_at < (($5::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
                  )
              ) / 3600
            )::numeric,
            1
          )::float8 AS answer_hours,
          m.sold,
          m.returned
        FROM
          orders o
          LEFT JOIN (
            SELECT
              k.receiver_id,
              sum(k.amount) FILTER (
                WHERE
                  k.sign = 1
              ) AS sold,
              sum(k.amount) FILTER (
                WHERE
                  k.sign = -1
              ) AS returned
            FROM
              (
                SELECT
                  o.receiver_id,
                  m.sign,
                  round(sum(m.quantity) * l.price, 2) AS amount
                FROM
                  (
                    SELECT
                      j.id,
                      j.at,
                      j.line_id,
                      j.note_id,
                      j.quantity,
                      1 AS sign
                    FROM
                      judgements j
                    WHERE
                      j.tenant_id = $1
                      AND j.result = 2
                    UNION ALL
                    SELECT
                      v.id,
                      v.at,
                      p.line_id,
                      v.note_id,
                      v.quantity,
                      -1
                    FROM
                      goods_moves v
                      JOIN pieces p ON p.tenant_id = $1
                      AND p.id = v.piece_id
                    WHERE
                      v.tenant_id = $1
                      AND v.kind IN ('back', 'scrapped')
                      AND EXISTS (
                        SELECT
                          1
                        FROM
                          judgements j
                        WHERE
                          j.tenant_id = $1
                          AND j.piece_id = v.piece_id
                          AND j.result = 2
                          AND j.at < v.at
                      )
                  ) m
                  JOIN order_lines l ON l.tenant_id = $1
                  AND l.id = m.line_id
                  JOIN orders o ON o.tenant_id = $1
                  AND o.id = l.order_id
                WHERE
                  o.tenant_id = $1::uuid
                  AND (
                    o.bc_id = ANY ($2::uuid[])
                    OR o.receiver_id = ANY ($3::uuid[])
                  )
                  AND m.at >= ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai')
                  AND m.at < (($5::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
                GROUP BY
                  o.receiver_id,
                  m.note_id,
                  l.id,
                  l.price,
                  m.sign
              ) k
            GROUP BY
              k.receiver_id
          ) m ON m.receiver_id = o.receiver_id
        WHERE
          o.tenant_id = $1::uuid
          AND (
            o.bc_id = ANY ($2::uuid[])
            OR o.receiver_id = ANY ($3::uuid[])
          )
        GROUP BY
          o.receiver_id,
          m.sold,
          m.returned
      ) e
    WHERE
      (
        e.orders > 0
        OR e.sold > 0
        OR e.returned > 0
      )
    ORDER BY
      e.orders DESC,
      e.receiver_id ASC
    LIMIT 100
  )
SELECT
  coalesce(
    (
      SELECT
        json_agg(r)
      FROM
        (
          SELECT
            e.receiver_id AS id,
            e.name,
            coalesce(b.bc_name, '') AS bc_name,
            e.orders,
            e.waiting,
            e.rejected,
            e.accepted,
            e.answer_hours AS "answerHours",
            e.late,
            (coalesce(e.sold, 0.00))::text AS "acceptedAmount",
            (coalesce(e.returned, 0.00))::text AS "returnedAmount",
            (coalesce(e.sold, 0.00) - coalesce(e.returned, 0.00))::text AS due
          FROM
            page e
            LEFT JOIN stores t ON t.tenant_id = $1
            AND t.id = e.receiver_id
            LEFT JOIN companies b ON b.tenant_id = $1
            AND b.bc_id = coalesce(t.bc_id, e.receiver_id)
          ORDER BY
            e.orders DESC,
            e.receiver_id ASC
        ) r
    ),
    '[]'::json
  )::text AS list,
  (
    SELECT
      count(*)
    FROM
      (
        SELECT
          o.receiver_id,
          max(o.receiver_name) AS name,
          count(*) FILTER (
            WHERE
              o.made_at >= ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.made_at < (($5::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND true
          )::int AS orders,
          count(*) FILTER (
            WHERE
              o.made_at >= ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.made_at < (($5::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.receive_state = 0
              AND o.ended = ''
          )::int AS waiting,
          count(*) FILTER (
            WHERE
              o.made_at >= ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.made_at < (($5::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.receive_state = 1
              AND o.ended = ''
          )::int AS rejected,
          count(*) FILTER (
            WHERE
              o.made_at >= ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.made_at < (($5::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.receive_state = 2
          )::int AS accepted,
          count(*) FILTER (
            WHERE
              o.made_at >= ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND o.made_at < (($5::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
              AND (
                o.ended = ''
                AND o.receive_state = 0
                AND o.due_at < :now
                OR o.ended IN ('', 'closed')
                AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
                AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date
                AND EXISTS (
                  SELECT
                    1
                  FROM
                    pieces x
                  WHERE
                    x.tenant_id = $1
                    AND x.order_id = o.id
                    AND x.order_state = ANY ('{2,3,4}'::smallint[])
                )
              )
          )::int AS late,
          round(
            (
              extract(
                epoch
                FROM
                  avg(o.answered_at - o.made_at) FILTER (
                    WHERE
                      o.made_at >= ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai')
                      AND o.made_at < (($5::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
                  )
              ) / 3600
            )::numeric,
            1
          )::float8 AS answer_hours,
          m.sold,
          m.returned
        FROM
          orders o
          LEFT JOIN (
            SELECT
              k.receiver_id,
              sum(k.amount) FILTER (
                WHERE
                  k.sign = 1
              ) AS sold,
              sum(k.amount) FILTER (
                WHERE
                  k.sign = -1
              ) AS returned
            FROM
              (
                SELECT
                  o.receiver_id,
                  m.sign,
                  round(sum(m.quantity) * l.price, 2) AS amount
                FROM
                  (
                    SELECT
                      j.id,
                      j.at,
                      j.line_id,
                      j.note_id,
                      j.quantity,
                      1 AS sign
                    FROM
                      judgements j
                    WHERE
                      j.tenant_id = $1
                      AND j.result = 2
                    UNION ALL
                    SELECT
                      v.id,
                      v.at,
                      p.line_id,
                      v.note_id,
                      v.quantity,
                      -1
                    FROM
                      goods_moves v
                      JOIN pieces p ON p.tenant_id = $1
                      AND p.id = v.piece_id
                    WHERE
                      v.tenant_id = $1
                      AND v.kind IN ('back', 'scrapped')
                      AND EXISTS (
                        SELECT
                          1
                        FROM
                          judgements j
                        WHERE
                          j.tenant_id = $1
                          AND j.piece_id = v.piece_id
                          AND j.result = 2
                          AND j.at < v.at
                      )
                  ) m
                  JOIN order_lines l ON l.tenant_id = $1
                  AND l.id = m.line_id
                  JOIN orders o ON o.tenant_id = $1
                  AND o.id = l.order_id
                WHERE
                  o.tenant_id = $1::uuid
                  AND (
                    o.bc_id = ANY ($2::uuid[])
                    OR o.receiver_id = ANY ($3::uuid[])
                  )
                  AND m.at >= ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai')
                  AND m.at < (($5::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
                GROUP BY
                  o.receiver_id,
                  m.note_id,
                  l.id,
                  l.price,
                  m.sign
              ) k
            GROUP BY
              k.receiver_id
          ) m ON m.receiver_id = o.receiver_id
        WHERE
          o.tenant_id = $1::uuid
          AND (
            o.bc_id = ANY ($2::uuid[])
            OR o.receiver_id = ANY ($3::uuid[])
          )
        GROUP BY
          o.receiver_id,
          m.sold,
          m.returned
      ) e
    WHERE
      (
        e.orders > 0
        OR e.sold > 0
        OR e.returned > 0
      )
  )::int AS total;

-- orders.urge
UPDATE orders o
SET
  urged_at = :now,
  version = o.version + 1
WHERE
  o.tenant_id = $1
  AND o.id = $2;
