-- app.ready
SELECT 1;

-- cli.person
SELECT p.id, p.tenant_id AS tenant, p.version, p.ask,
  (SELECT u.id FROM account_names n
   JOIN users u ON u.tenant_id = n.tenant_id AND lower(u.user_name) = n.name AND u.deleted_at IS NULL
   WHERE n.name = lower($2) AND n.tenant_id = p.tenant_id) AS user
FROM person_requests p
WHERE p.no = $1;

-- cli.persondone
SELECT p.state FROM person_requests p WHERE p.tenant_id = $1 AND p.id = $2;

-- clock.months
SELECT ensure_months($1::date, $2::date);

-- clock.unsealed
SELECT DISTINCT tenant_id FROM user_logs WHERE seq IS NULL LIMIT 100;

-- demo.answers
SELECT n, answer FROM demo_answers;

-- demo.begin
INSERT INTO demo_steps (step, from_at)
SELECT $1, $2 FROM demo_steps WHERE step = 'people'
ON CONFLICT DO NOTHING;

-- demo.branch
SELECT s.bc_id AS bc, s.id AS store
FROM users u
JOIN user_stores t ON t.tenant_id = u.tenant_id AND t.user_id = u.id
JOIN stores s ON s.tenant_id = t.tenant_id AND s.id = t.store_id
WHERE u.user_name = $1;

-- demo.done
UPDATE demo_steps SET done_at = :now WHERE step = $1;

-- demo.forget
DELETE FROM demo_answers;

-- demo.keep
INSERT INTO demo_answers (n, answer) VALUES ($1, $2) RETURNING 1;

-- demo.open
UPDATE sites w
SET open_alarms = n.open
FROM (SELECT k.tenant_id, k.id, count(a.id)::int AS open FROM sites k
    LEFT JOIN alarms a ON a.tenant_id = k.tenant_id AND a.site_id = k.id
    AND a.correction_status IN (1, 2) GROUP BY 1, 2) n
WHERE w.tenant_id = n.tenant_id AND w.id = n.id AND w.open_alarms <> n.open;

-- demo.people
INSERT INTO demo_steps (step, from_at, done_at) VALUES ('people', $1, :now);

-- demo.receivers
SELECT (SELECT k.receiver_store FROM product_categories k
    WHERE k.tenant_id = c.tenant_id AND k.receiver_store IS NOT NULL LIMIT 1) AS store,
  (SELECT k.receiver_bc FROM product_categories k
    WHERE k.tenant_id = c.tenant_id AND k.receiver_bc IS NOT NULL LIMIT 1) AS bc
FROM companies c
WHERE c.bc_id = $1;

-- demo.settle
WITH due AS (
  SELECT a.tenant_id, a.id, a.at, a.site_id,
    CASE WHEN a.confidence < 0.6 THEN 78 + abs(hashtext(a.id::text)) % 12
    WHEN a.at < :now - interval '14 days' THEN abs(hashtext(a.id::text)) % 90
    ELSE abs(hashtext(a.id::text)) % 100 END AS h
  FROM alarms a
  WHERE a.correction_status = 1
    AND a.at < $1::timestamptz - interval '1 day' * (abs(hashtext(a.id::text)) % 3) * $2)
UPDATE alarms a SET correction_status = CASE WHEN h < 78 THEN 3 WHEN h < 90 THEN 4 ELSE 2 END,
  verdict = CASE WHEN h < 78 OR h >= 90 THEN 'real' ELSE 'wrong' END,
    step = CASE WHEN h < 78 THEN 'submitted' WHEN h < 90 THEN NULL ELSE 'assigned' END,
  assignee_id = CASE WHEN h < 78 OR h >= 90 THEN w.manager_id END,
    corrector_id = CASE WHEN h < 78 THEN w.manager_id END,
      due_at = CASE WHEN h < 78 OR h >= 90 THEN a.at + interval '24 hours' END,
  closed_at = CASE WHEN (h < 78 AND h % 13 = 5) THEN least(a.at + interval '1 hour' * (CASE WHEN (h < 78
    AND h % 13 = 5) THEN 44 + h % 40 ELSE 1 + h % 30 END), :now)
    WHEN h < 90 THEN least(a.at + interval '1 hour' * (CASE WHEN (h < 78 AND h % 13 = 5) THEN 44 + h % 40
      ELSE 1 + h % 30 END), $1::timestamptz, :now) END,
  version = a.version + 1, changed_by = CASE WHEN h < 78 THEN s.nickname ELSE m.nickname END,
    changed_at = a.at + interval '1 hour'
FROM due JOIN sites w ON w.tenant_id = due.tenant_id AND w.id = due.site_id JOIN users m ON m.tenant_id = w.tenant_id
  AND m.id = w.manager_id JOIN users s ON s.tenant_id = w.tenant_id AND s.id = w.steward_id
WHERE a.tenant_id = due.tenant_id AND a.id = due.id AND h < 97
RETURNING a.tenant_id, a.id, floor(extract(epoch FROM a.at))::float8 AS at,
  CASE WHEN h < 78 THEN 'passed' WHEN h < 90 THEN 'wrong' ELSE 'assigned' END AS kind,
    ((CASE WHEN (h < 78 AND h % 13 = 5) THEN 44 + h % 40 ELSE 1 + h % 30 END))::int AS hours, m.nickname AS manager,
      s.nickname AS reviewer;

-- demo.sites
SELECT w.id, w.ws_name, w.community, w.address, round(coalesce(w.area, 100))::int AS area, o.name AS owner,
  o.phone, coalesce(w.start_date, w.planned_start)::text AS begun
FROM sites w
JOIN owners o ON o.tenant_id = w.tenant_id AND o.id = w.owner_id
WHERE w.bc_id = $1 AND w.status IN (1, 2)
ORDER BY w.start_date NULLS LAST, w.code;

-- demo.step
SELECT from_at AS "from" FROM demo_steps WHERE step = $1 AND done_at IS NULL;

-- demo.tenants
SELECT id FROM tenants;

-- erasing.about
SELECT x.id FROM orders x WHERE x.tenant_id = $1 AND x.site_id = ANY ($2::uuid[]) UNION SELECT x.id FROM dispatches x
  WHERE x.tenant_id = $1 AND x.site_id = ANY ($2::uuid[]) UNION SELECT x.id FROM feedback x WHERE x.tenant_id = $1
    AND x.site_id = ANY ($2::uuid[]) UNION SELECT x.id FROM promises x WHERE x.tenant_id = $1
      AND x.site_id = ANY ($2::uuid[]) UNION SELECT x.id FROM questions x WHERE x.tenant_id = $1
        AND x.site_id = ANY ($2::uuid[]) UNION SELECT x.id FROM receptions x WHERE x.tenant_id = $1
          AND x.site_id = ANY ($2::uuid[]) UNION SELECT x.id FROM cases x WHERE x.tenant_id = $1
            AND x.site_id = ANY ($2::uuid[]) UNION SELECT x.id FROM handovers x WHERE x.tenant_id = $1
              AND x.site_id = ANY ($2::uuid[])
UNION SELECT x.id FROM home_devices x WHERE x.tenant_id = $1 AND x.contact_id = ANY ($3::uuid[])
UNION SELECT x.id FROM quotations x WHERE x.tenant_id = $1 AND x.customer_id = ANY ($4::uuid[])
UNION SELECT x.id FROM previews x WHERE x.tenant_id = $1 AND x.customer_id = ANY ($4::uuid[])
UNION SELECT x.id FROM follow_ups x WHERE x.tenant_id = $1 AND x.customer_id = ANY ($4::uuid[])
UNION SELECT x.id FROM links x
  WHERE x.tenant_id = $1 AND (x.target_id = ANY ($3::uuid[]) OR x.customer_id = ANY ($4::uuid[]))
UNION SELECT x.id FROM violations x WHERE x.tenant_id = $1 AND x.worker_id = ANY ($5::uuid[]);

-- erasing.attendance_events
UPDATE attendance_events p SET picture = NULL WHERE p.tenant_id = $1 AND (p.worker_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'workers') v) AND p.picture IS NOT NULL) AND $2::jsonb IS NOT NULL
    AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasing.bars
SELECT EXISTS (SELECT FROM home_contacts h JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
  WHERE h.tenant_id = $1 AND h.id = ANY ($2::uuid[]) AND h.ended_at IS NULL
    AND w.status IN (1, 2)
    AND w.deleted_at IS NULL) AS works,
EXISTS (SELECT FROM feedback f
  WHERE f.tenant_id = $1 AND f.site_id = ANY ($3::uuid[]) AND f.status IN (1, 2)
    AND f.kind IN ('complaint', 'repair')) AS complaint,
EXISTS (SELECT FROM contracts c
  WHERE c.tenant_id = $1 AND c.id = ANY ($4::uuid[]) AND c.state IN ('live', 'finishing', 'ending')) AS money,
EXISTS (SELECT FROM recording_holds r
  WHERE r.tenant_id = $1 AND r.site_id = ANY ($3::uuid[]) AND r.released_at IS NULL AND r."for" <> 'delivery'
    AND (r.until_at IS NULL OR r.until_at > :now)) AS hold,
EXISTS (SELECT FROM site_members m
  WHERE m.tenant_id = $1 AND m.worker_id = ANY ($5::uuid[]) AND m.left_on IS NULL)
OR EXISTS (SELECT FROM attendance_days d
  WHERE d.tenant_id = $1 AND d.worker_id = ANY ($5::uuid[])
    AND d.day = (:now AT TIME ZONE 'Asia/Shanghai')::date) AS team;

-- erasing.case_events
UPDATE case_events p SET actor = without_words(p.actor, $3), text = without_words(p.text,
  $3) WHERE p.tenant_id = $1 AND (p.case_id IN (SELECT x.id FROM cases x WHERE x.tenant_id = $1
    AND x.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)))
      AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.actor, ' ',
        p.text), $3);

-- erasing.cases
UPDATE cases p SET title = without_words(p.title, $3), words = without_words(p.words, $3),
  asked_by = without_words(p.asked_by,
    $3) WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
      FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
        AND $4::text[] IS NOT NULL AND has_word(concat(p.title, ' ', p.words, ' ', p.asked_by), $3);

-- erasing.consents
UPDATE consents p SET recorded_by = without_words(p.recorded_by, $3), withdrawn_by = without_words(p.withdrawn_by, $3),
  withdrawn_why = without_words(p.withdrawn_why,
    $3) WHERE p.tenant_id = $1 AND ((p.subject_type = 'contact' AND p.subject_id IN (SELECT v::uuid
      FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)
OR p.subject_type = 'worker' AND p.subject_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'workers') v))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.recorded_by, ' ', p.withdrawn_by, ' ', p.withdrawn_why), $3);

-- erasing.correction_logs
UPDATE correction_logs p SET actor = without_words(p.actor, $3), text = without_words(p.text,
  $3) WHERE p.tenant_id = $1 AND (p.correction_id IN (SELECT x.id FROM corrections x WHERE x.tenant_id = $1
    AND x.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)))
      AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.actor, ' ',
        p.text), $3);

-- erasing.corrections
UPDATE corrections p SET problem = without_words(p.problem,
  $3) WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v))
    AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.problem), $3);

-- erasing.countattendance_days
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM attendance_days p WHERE p.tenant_id = $1 AND (p.worker_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'workers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.countattendance_events
SELECT count(*)::int AS n, coalesce(sum(cardinality(array_remove(ARRAY[p.picture], NULL))), 0)::int AS files
FROM attendance_events p WHERE p.tenant_id = $1 AND (p.worker_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'workers') v) AND p.picture IS NOT NULL) AND $2::jsonb IS NOT NULL
    AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasing.countcase_events
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM case_events p WHERE p.tenant_id = $1 AND (p.case_id IN (SELECT x.id FROM cases x WHERE x.tenant_id = $1
  AND x.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v))) AND $2::jsonb IS NOT NULL
    AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.actor, ' ', p.text), $3);

-- erasing.countcases
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM cases p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.title, ' ', p.words, ' ', p.asked_by), $3);

-- erasing.countconsents
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
 FROM consents p WHERE p.tenant_id = $1 AND ((p.subject_type = 'contact' AND p.subject_id IN (SELECT v::uuid
   FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)
OR p.subject_type = 'worker' AND p.subject_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'workers') v))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.countcontract_receipts
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM contract_receipts p WHERE p.tenant_id = $1 AND (p.contract_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'contracts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.countcontracts
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM contracts p WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'contracts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.countcorrection_logs
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM correction_logs p WHERE p.tenant_id = $1 AND (p.correction_id IN (SELECT x.id FROM corrections x
  WHERE x.tenant_id = $1 AND x.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)))
    AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.actor, ' ',
      p.text), $3);

-- erasing.countcorrections
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM corrections p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.problem), $3);

-- erasing.countcustomer_briefs
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM customer_briefs p WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.countcustomer_contacts
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM customer_contacts p WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'furthers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.countcustomer_events
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM customer_events p WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.countcustomer_promises
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM customer_promises p WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.countcustomers
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM customers p WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'leads') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.countdispatches
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM dispatches p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.contact, ' ', p.contact_phone, ' ', p.delivered_name, ' ',
      p.reason, ' ', p.damage), $3);

-- erasing.countexamine_requests
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
 FROM examine_requests p WHERE p.tenant_id = $1 AND ((p.object_id IN (SELECT v::uuid
   FROM jsonb_array_elements_text($2::jsonb -> 'contracts') v)
OR p.object_id IN (SELECT x.id FROM quotations x WHERE x.tenant_id = $1 AND x.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.summary, ' ', p.reason), $3);

-- erasing.countfeedback
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM feedback p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.words, ' ', p.entered_by, ' ', p.result, ' ', p.pause_text, ' ',
      p.changed_by), $3);

-- erasing.countfeedback_events
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM feedback_events p WHERE p.tenant_id = $1 AND (p.feedback_id IN (SELECT x.id FROM feedback x WHERE x.tenant_id = $1
  AND x.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v))) AND $2::jsonb IS NOT NULL
    AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.actor, ' ', p.words), $3);

-- erasing.countfollow_ups
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM follow_ups p WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.countgoods_changes
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM goods_changes p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.reason, ' ', p.answer_reason, ' ', p.outcome_reason), $3);

-- erasing.counthandover_questions
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM handover_questions p WHERE p.tenant_id = $1 AND (p.handover_id IN (SELECT x.id FROM handovers x
  WHERE x.tenant_id = $1 AND x.customer_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'customers') v))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL;

-- erasing.counthandovers
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM handovers p WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.counthome_contacts
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM home_contacts p WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.counthome_devices
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM home_devices p WHERE p.tenant_id = $1 AND (p.contact_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.countidempotency
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM idempotency p WHERE p.tenant_id = $1 AND (has_word(p.answer,
  $4)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasing.countimport_rows
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM import_rows p WHERE p.tenant_id = $1 AND (has_word(p.cells::text,
  $4)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasing.countimports
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM imports p WHERE p.tenant_id = $1 AND (true) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
  AND $4::text[] IS NOT NULL AND has_word(concat(p.file_name), $3);

-- erasing.countlink_acts
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
     FROM link_acts p WHERE p.tenant_id = $1 AND (p.link_id IN (SELECT x.id FROM links x WHERE x.tenant_id = $1
       AND (x.kind = 'owner' AND x.target_id IN (SELECT v::uuid
         FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)
OR x.customer_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'customers') v))))
  AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.answer), $3);

-- erasing.countlink_openings
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
     FROM link_openings p WHERE p.tenant_id = $1 AND (p.link_id IN (SELECT x.id FROM links x WHERE x.tenant_id = $1
       AND (x.kind = 'owner' AND x.target_id IN (SELECT v::uuid
         FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)
OR x.customer_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'customers') v))))
  AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasing.countlinks
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
     FROM links p WHERE p.tenant_id = $1 AND ((p.kind = 'owner' AND p.target_id IN (SELECT v::uuid
       FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)
OR p.customer_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)))
  AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasing.countlogistics
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM logistics p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.signed_by, ' ', p.grade_reason, ' ', p.dispute), $3);

-- erasing.countnamed_views
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM named_views p WHERE p.tenant_id = $1 AND (true) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
  AND $4::text[] IS NOT NULL AND has_word(concat(p.search, ' ', p.title), $3);

-- erasing.countnotifications
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
 FROM notifications p WHERE p.tenant_id = $1 AND ((p.of_site IN (SELECT v::uuid
   FROM jsonb_array_elements_text($2::jsonb -> 'sites') v) OR p.cause_id IN (
SELECT v FROM jsonb_each($2::jsonb) e, jsonb_array_elements_text(e.value) v)
OR p.cause_id IN (SELECT x.id::text FROM quotations x
  WHERE x.tenant_id = $1 AND x.customer_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL AND has_word(concat(p.title), $3);

-- erasing.countorders
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM orders p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.contact, ' ', p.contact_phone, ' ', p.remark, ' ', p.reason, ' ',
      p.ask_reason), $3);

-- erasing.countowners
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM owners p WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'owners') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.countpatrol_items
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM patrol_items p WHERE p.tenant_id = $1 AND (p.patrol_id IN (SELECT x.id FROM patrols x WHERE x.tenant_id = $1
  AND x.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v))) AND $2::jsonb IS NOT NULL
    AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.remark, ' ', p.problem), $3);

-- erasing.countpatrols
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM patrols p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.remark), $3);

-- erasing.countpreviews
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM previews p WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.title, ' ', p.words), $3);

-- erasing.countpromise_events
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM promise_events p WHERE p.tenant_id = $1 AND (p.promise_id IN (SELECT x.id FROM promises x WHERE x.tenant_id = $1
  AND x.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v))) AND $2::jsonb IS NOT NULL
    AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.actor, ' ', p.text), $3);

-- erasing.countpromises
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM promises p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.content, ' ', p.subject, ' ', p.changed_by), $3);

-- erasing.countquestion_answers
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM question_answers p WHERE p.tenant_id = $1 AND (p.question_id IN (SELECT x.id FROM questions x
  WHERE x.tenant_id = $1 AND x.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)))
    AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.words, ' ',
      p.recorded_by), $3);

-- erasing.countquestions
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM questions p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.words, ' ', p.withdrawn_for, ' ', p.changed_by), $3);

-- erasing.countquotation_lines
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
 FROM quotation_lines p WHERE p.tenant_id = $1 AND (p.version_id IN (SELECT v.id FROM quotation_versions v
   JOIN quotations x
ON x.tenant_id = $1 AND x.id = v.quotation_id WHERE v.tenant_id = $1 AND x.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.remark), $3);

-- erasing.countquotation_versions
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM quotation_versions p WHERE p.tenant_id = $1 AND (p.quotation_id IN (SELECT x.id FROM quotations x
  WHERE x.tenant_id = $1 AND x.customer_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'customers') v))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL AND has_word(concat(p.remark, ' ', p.reason), $3);

-- erasing.countquotations
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM quotations p WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.void_reason), $3);

-- erasing.countreceptions
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM receptions p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.purpose, ' ', p.remark, ' ', p.record, ' ', p.score_words, ' ',
      p.scored_by, ' ', p.entered_by, ' ', p.changed_by), $3);

-- erasing.countsaved_views
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM saved_views p WHERE p.tenant_id = $1 AND (has_word(p.value::text,
  $3)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasing.countsite_events
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM site_events p WHERE p.tenant_id = $1 AND ((p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v) OR p.site_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'workSites') v))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL AND has_word(concat(p.title, ' ', p.actor), $3);

-- erasing.countsites
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM sites p WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.ws_name, ' ', p.stop_remark, ' ', p.outside_contract), $3);

-- erasing.countthread_messages
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM thread_messages p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.words, ' ', p.who), $3);

-- erasing.countvideo_views
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM video_views p WHERE p.tenant_id = $1 AND (p.contact_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.countviolation_logs
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM violation_logs p WHERE p.tenant_id = $1 AND (p.violation_id IN (SELECT x.id FROM violations x
  WHERE x.tenant_id = $1 AND x.worker_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'workers') v)))
    AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.actor, ' ',
      p.text), $3);

-- erasing.countviolations
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM violations p WHERE p.tenant_id = $1 AND (p.worker_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'workers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.countvisits
SELECT count(*)::int AS n, coalesce(sum(cardinality(array_remove(ARRAY[p.picture], NULL))), 0)::int AS files
FROM visits p WHERE p.tenant_id = $1 AND ((p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'visits') v) OR p.worker_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'workers') v))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL;

-- erasing.countworker_documents
SELECT count(*)::int AS n, coalesce(sum(cardinality(array_remove(ARRAY[p.picture], NULL))), 0)::int AS files
FROM worker_documents p WHERE p.tenant_id = $1 AND (p.worker_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'workers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.countworkers
SELECT count(*)::int AS n, coalesce(sum(0), 0)::int AS files
FROM workers p WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'workers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.customer_briefs
UPDATE customer_briefs p SET taste = '', people = '', fears = '',
  given = '' WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL;

-- erasing.customer_contacts
DELETE FROM customer_contacts p WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'furthers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.customer_events
UPDATE customer_events p SET text = '' WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.customer_promises
UPDATE customer_promises p SET content = '已删除',
  text = '' WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL;

-- erasing.customers
UPDATE customers p SET name = '受限', phone = '', address = '', why = '', refuses = true, answer_due = NULL,
  back_due = NULL,
    version = p.version + 1 WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
      FROM jsonb_array_elements_text($2::jsonb -> 'signed') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
        AND $4::text[] IS NOT NULL;

-- erasing.dispatches
UPDATE dispatches p SET contact = without_words(p.contact, $3), contact_phone = without_words(p.contact_phone, $3),
  delivered_name = without_words(p.delivered_name, $3), reason = without_words(p.reason, $3),
    damage = without_words(p.damage,
      $3) WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
        FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
          AND $4::text[] IS NOT NULL AND has_word(concat(p.contact, ' ', p.contact_phone, ' ', p.delivered_name, ' ',
            p.reason, ' ', p.damage), $3);

-- erasing.examine_requests
UPDATE examine_requests p SET summary = without_words(p.summary, $3), reason = without_words(p.reason,
  $3) WHERE p.tenant_id = $1 AND ((p.object_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'contracts') v)
OR p.object_id IN (SELECT x.id FROM quotations x WHERE x.tenant_id = $1 AND x.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.summary, ' ', p.reason), $3);

-- erasing.feedback
UPDATE feedback p SET words = without_words(p.words, $3), entered_by = without_words(p.entered_by, $3),
  result = without_words(p.result, $3), pause_text = without_words(p.pause_text, $3),
    changed_by = without_words(p.changed_by,
      $3) WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
        FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
          AND $4::text[] IS NOT NULL AND has_word(concat(p.words, ' ', p.entered_by, ' ', p.result, ' ', p.pause_text,
            ' ', p.changed_by), $3);

-- erasing.feedback_events
UPDATE feedback_events p SET actor = without_words(p.actor, $3), words = without_words(p.words,
  $3) WHERE p.tenant_id = $1 AND (p.feedback_id IN (SELECT x.id FROM feedback x WHERE x.tenant_id = $1
    AND x.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)))
      AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.actor, ' ',
        p.words), $3);

-- erasing.find
WITH me AS (
  SELECT coalesce(h.name, o.name) AS name, coalesce(h.phone, o.phone) AS phone,
    CASE WHEN h.name IS NULL THEN h.owner_id END AS owner_id
  FROM home_contacts h LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
  WHERE h.tenant_id = $1 AND $3 = 'owner' AND h.id = $2::uuid
  UNION ALL
  SELECT k.name, k.phone, k.owner_id FROM customers k
  WHERE k.tenant_id = $1 AND $3 = 'customer' AND k.id = $2::uuid
  UNION ALL
  SELECT f.name, f.phone, NULL FROM customer_contacts f
  WHERE f.tenant_id = $1 AND $3 = 'customer' AND f.id = $2::uuid
  UNION ALL
  SELECT w.w_name, w.w_contact, NULL FROM workers w WHERE w.tenant_id = $1 AND $3 = 'worker' AND w.id = $2::uuid),
owned AS (
  SELECT o.id FROM owners o
  WHERE o.tenant_id = $1 AND (o.id IN (SELECT m.owner_id FROM me m) OR EXISTS (SELECT FROM me m
    WHERE m.phone <> '' AND m.name = o.name AND replace(m.phone, '-', '') = replace(o.phone, '-', '')))),
contact AS (
  SELECT h.id, h.site_id, h.ended_at FROM home_contacts h
  WHERE h.tenant_id = $1 AND ($3 = 'owner' AND h.id = $2::uuid
    OR h.name IS NULL AND h.owner_id IN (SELECT x.id FROM owned x)
    OR EXISTS (SELECT FROM me m
    WHERE m.phone <> '' AND m.name = h.name AND replace(m.phone, '-', '') = replace(h.phone, '-', '')))),
customer AS (
  SELECT k.id FROM customers k
  WHERE k.tenant_id = $1 AND ($3 = 'customer' AND k.id = $2::uuid OR k.owner_id IN (SELECT x.id FROM owned x)
    OR EXISTS (SELECT FROM me m
    WHERE m.phone <> '' AND m.name = k.name AND replace(m.phone, '-', '') = replace(k.phone, '-', '')))),
worker AS (
  SELECT w.id FROM workers w
  WHERE w.tenant_id = $1 AND ($3 = 'worker' AND w.id = $2::uuid OR EXISTS (SELECT FROM me m
    WHERE m.phone <> '' AND m.name = w.w_name AND replace(m.phone, '-', '') = replace(w.w_contact, '-', '')))),
contract AS (
  SELECT c.id, c.customer_id FROM contracts c
  WHERE c.tenant_id = $1 AND (c.customer_id IN (SELECT x.id FROM customer x)
    OR c.owner_id IN (SELECT x.id FROM owned x))),
signed AS (SELECT x.id FROM customer x WHERE x.id IN (SELECT c.customer_id FROM contract c)),
lead AS (SELECT x.id FROM customer x WHERE x.id NOT IN (SELECT c.customer_id FROM contract c)),
-- With a lead that never became anything its further people go as well.
further AS (
  SELECT f.id FROM customer_contacts f
  WHERE f.tenant_id = $1 AND (f.id = $2::uuid OR f.customer_id IN (SELECT x.id FROM lead x)
    OR EXISTS (SELECT FROM me m
    WHERE m.phone <> '' AND m.name = f.name AND replace(m.phone, '-', '') = replace(f.phone, '-', '')))),
site AS (SELECT x.site_id AS id FROM contact x),
home AS (SELECT x.site_id AS id FROM contact x WHERE x.ended_at IS NULL),
worksite AS (
  SELECT m.site_id AS id FROM site_members m
  WHERE m.tenant_id = $1 AND m.worker_id IN (SELECT x.id FROM worker x)
  UNION SELECT v.site_id FROM visits v
  WHERE v.tenant_id = $1 AND v.worker_id IN (SELECT x.id FROM worker x)
  UNION SELECT b.site_id FROM violations b
  WHERE b.tenant_id = $1 AND b.worker_id IN (SELECT x.id FROM worker x))
SELECT jsonb_build_object('owners', (SELECT coalesce(jsonb_agg(DISTINCT x.id), '[]'::jsonb) FROM owned x), 'contacts',
  (SELECT coalesce(jsonb_agg(DISTINCT x.id), '[]'::jsonb) FROM contact x),
    'customers', (SELECT coalesce(jsonb_agg(DISTINCT x.id), '[]'::jsonb) FROM customer x), 'signed',
      (SELECT coalesce(jsonb_agg(DISTINCT x.id), '[]'::jsonb) FROM signed x), 'leads',
        (SELECT coalesce(jsonb_agg(DISTINCT x.id), '[]'::jsonb) FROM lead x),
    'furthers', (SELECT coalesce(jsonb_agg(DISTINCT x.id), '[]'::jsonb) FROM further x), 'workers',
      (SELECT coalesce(jsonb_agg(DISTINCT x.id), '[]'::jsonb) FROM worker x), 'contracts',
        (SELECT coalesce(jsonb_agg(DISTINCT x.id), '[]'::jsonb) FROM contract x),
    'sites', (SELECT coalesce(jsonb_agg(DISTINCT x.id), '[]'::jsonb) FROM site x), 'homes',
      (SELECT coalesce(jsonb_agg(DISTINCT x.id), '[]'::jsonb) FROM home x), 'workSites',
        (SELECT coalesce(jsonb_agg(DISTINCT x.id), '[]'::jsonb) FROM worksite x),
    'visits', CASE WHEN $3 = 'visitor' THEN jsonb_build_array($2::text) ELSE '[]'::jsonb END) AS ids;

-- erasing.follow_ups
UPDATE follow_ups p SET content = without_words(p.content, $3), result = without_words(p.result,
  $3) WHERE p.tenant_id = $1 AND (has_word(concat(p.content, ' ', p.result),
    $4)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.content,
      ' ', p.result), $3);

-- erasing.goods_changes
UPDATE goods_changes p SET reason = without_words(p.reason, $3), answer_reason = without_words(p.answer_reason, $3),
  outcome_reason = without_words(p.outcome_reason,
    $3) WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
      FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
        AND $4::text[] IS NOT NULL AND has_word(concat(p.reason, ' ', p.answer_reason, ' ', p.outcome_reason), $3);

-- erasing.handover_questions
UPDATE handover_questions p SET text = '已删除',
  answer = '' WHERE p.tenant_id = $1 AND (p.handover_id IN (SELECT x.id FROM handovers x WHERE x.tenant_id = $1
    AND x.customer_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)))
      AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasing.handovers
UPDATE handovers p SET taste = '', people = '', fears = '', given = '',
  version = p.version + 1 WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL;

-- erasing.home_contacts
UPDATE home_contacts p SET name = CASE WHEN p.name IS NULL THEN NULL ELSE '受限' END,
  phone = CASE WHEN p.phone IS NULL THEN NULL ELSE '' END,
    version = p.version + 1 WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
      FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
        AND $4::text[] IS NOT NULL;

-- erasing.home_devices
UPDATE home_devices p SET device = p.id::text, name = '已删除',
  code = '' WHERE p.tenant_id = $1 AND (p.contact_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL;

-- erasing.idempotency
DELETE FROM idempotency p WHERE p.tenant_id = $1 AND (has_word(p.answer,
  $4)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasing.import_rows
UPDATE import_rows p SET cells = without_words(p.cells::text, $3)::jsonb, twins = without_words(p.twins::text,
  $3)::jsonb WHERE p.tenant_id = $1 AND (has_word(p.cells::text,
    $4)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasing.imports
UPDATE imports p SET file_name = without_words(p.file_name,
  $3) WHERE p.tenant_id = $1 AND (true) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL
    AND has_word(concat(p.file_name), $3);

-- erasing.link_acts
UPDATE link_acts p SET answer = without_words(p.answer,
  $3) WHERE p.tenant_id = $1 AND (p.link_id IN (SELECT x.id FROM links x WHERE x.tenant_id = $1 AND (x.kind = 'owner'
    AND x.target_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)
OR x.customer_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'customers') v))))
  AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.answer), $3);

-- erasing.link_openings
DELETE FROM link_openings p WHERE p.tenant_id = $1 AND (p.link_id IN (SELECT x.id FROM links x WHERE x.tenant_id = $1
  AND (x.kind = 'owner' AND x.target_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)
OR x.customer_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'customers') v))))
  AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasing.links
UPDATE links p SET person = '已删除', title = without_words(p.title, $3), revoked_at = coalesce(p.revoked_at,
  :now) WHERE p.tenant_id = $1 AND ((p.kind = 'owner' AND p.target_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)
OR p.customer_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)))
  AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasing.logistics
UPDATE logistics p SET signed_by = without_words(p.signed_by, $3), grade_reason = without_words(p.grade_reason, $3),
  dispute = without_words(p.dispute,
    $3) WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
      FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
        AND $4::text[] IS NOT NULL AND has_word(concat(p.signed_by, ' ', p.grade_reason, ' ', p.dispute), $3);

-- erasing.named_views
UPDATE named_views p SET search = without_words(p.search, $3), title = without_words(p.title,
  $3) WHERE p.tenant_id = $1 AND (true) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL
    AND has_word(concat(p.search, ' ', p.title), $3);

-- erasing.names
SELECT o.name, o.phone, '' AS address FROM owners o WHERE o.tenant_id = $1 AND o.id = ANY ($2::uuid[])
UNION SELECT coalesce(h.name, o.name, ''), coalesce(h.phone, o.phone, ''), '' FROM home_contacts h
  LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
  WHERE h.tenant_id = $1 AND h.id = ANY ($3::uuid[])
UNION SELECT k.name, k.phone, CASE WHEN k.id = ANY ($6::uuid[]) THEN k.address ELSE '' END FROM customers k
  WHERE k.tenant_id = $1 AND k.id = ANY ($4::uuid[])
UNION SELECT f.name, f.phone, '' FROM customer_contacts f
  WHERE f.tenant_id = $1 AND f.id = ANY ($7::uuid[])
UNION SELECT w.w_name, w.w_contact, '' FROM workers w WHERE w.tenant_id = $1 AND w.id = ANY ($5::uuid[]);

-- erasing.notifications
UPDATE notifications p SET title = without_words(p.title,
  $3) WHERE p.tenant_id = $1 AND ((p.of_site IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)
    OR p.cause_id IN (
SELECT v FROM jsonb_each($2::jsonb) e, jsonb_array_elements_text(e.value) v)
OR p.cause_id IN (SELECT x.id::text FROM quotations x
  WHERE x.tenant_id = $1 AND x.customer_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL AND has_word(concat(p.title), $3);

-- erasing.orders
UPDATE orders p SET contact = without_words(p.contact, $3), contact_phone = without_words(p.contact_phone, $3),
  remark = without_words(p.remark, $3), reason = without_words(p.reason, $3), ask_reason = without_words(p.ask_reason,
    $3) WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
      FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
        AND $4::text[] IS NOT NULL AND has_word(concat(p.contact, ' ', p.contact_phone, ' ', p.remark, ' ', p.reason,
          ' ', p.ask_reason), $3);

-- erasing.others
SELECT h.name FROM home_contacts h
WHERE h.tenant_id = $1 AND h.site_id = ANY ($2::uuid[]) AND h.name IS NOT NULL AND NOT h.id = ANY ($3::uuid[])
UNION SELECT f.name FROM customer_contacts f
WHERE f.tenant_id = $1 AND f.customer_id = ANY ($4::uuid[]) AND NOT f.id = ANY ($5::uuid[]);

-- erasing.owners
UPDATE owners p SET name = '受限',
  phone = '' WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'owners') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL;

-- erasing.patrol_items
UPDATE patrol_items p SET remark = without_words(p.remark, $3), problem = without_words(p.problem,
  $3) WHERE p.tenant_id = $1 AND (p.patrol_id IN (SELECT x.id FROM patrols x WHERE x.tenant_id = $1
    AND x.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)))
      AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.remark,
        ' ', p.problem), $3);

-- erasing.patrols
UPDATE patrols p SET remark = without_words(p.remark,
  $3) WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v))
    AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.remark), $3);

-- erasing.picturesattendance_events
SELECT coalesce(array_agg(DISTINCT k), '{}') AS keys
FROM attendance_events p,
  unnest(ARRAY[p.picture]) k WHERE p.tenant_id = $1 AND (p.worker_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'workers') v) AND p.picture IS NOT NULL) AND $2::jsonb IS NOT NULL
      AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasing.picturesthread_messages
SELECT coalesce(array_agg(DISTINCT k), '{}') AS keys
FROM thread_messages p,
  unnest(p.pictures) k WHERE p.tenant_id = $1 AND (p.contact_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL;

-- erasing.picturesvisits
SELECT coalesce(array_agg(DISTINCT k), '{}') AS keys
FROM visits p,
  unnest(ARRAY[p.picture]) k WHERE p.tenant_id = $1 AND ((p.id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'visits') v) OR p.worker_id IN (SELECT v::uuid
      FROM jsonb_array_elements_text($2::jsonb -> 'workers') v))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
        AND $4::text[] IS NOT NULL;

-- erasing.picturesworker_documents
SELECT coalesce(array_agg(DISTINCT k), '{}') AS keys
FROM worker_documents p,
  unnest(ARRAY[p.picture]) k WHERE p.tenant_id = $1 AND (p.worker_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'workers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL;

-- erasing.picturesworkers
SELECT coalesce(array_agg(DISTINCT k), '{}') AS keys
FROM workers p,
  unnest(ARRAY[p.w_face]) k WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'workers') v) AND p.w_face IS NOT NULL) AND $2::jsonb IS NOT NULL
      AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasing.previews
UPDATE previews p SET title = without_words(p.title, $3), words = without_words(p.words,
  $3) WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL AND has_word(concat(p.title, ' ', p.words), $3);

-- erasing.promise_events
UPDATE promise_events p SET actor = without_words(p.actor, $3), text = without_words(p.text,
  $3) WHERE p.tenant_id = $1 AND (p.promise_id IN (SELECT x.id FROM promises x WHERE x.tenant_id = $1
    AND x.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)))
      AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.actor, ' ',
        p.text), $3);

-- erasing.promises
UPDATE promises p SET content = without_words(p.content, $3), subject = without_words(p.subject, $3),
  changed_by = without_words(p.changed_by,
    $3) WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
      FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
        AND $4::text[] IS NOT NULL AND has_word(concat(p.content, ' ', p.subject, ' ', p.changed_by), $3);

-- erasing.question_answers
UPDATE question_answers p SET words = without_words(p.words, $3), recorded_by = without_words(p.recorded_by,
  $3) WHERE p.tenant_id = $1 AND (p.question_id IN (SELECT x.id FROM questions x WHERE x.tenant_id = $1
    AND x.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)))
      AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.words, ' ',
        p.recorded_by), $3);

-- erasing.questions
UPDATE questions p SET words = without_words(p.words, $3), withdrawn_for = without_words(p.withdrawn_for, $3),
  changed_by = without_words(p.changed_by,
    $3) WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
      FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
        AND $4::text[] IS NOT NULL AND has_word(concat(p.words, ' ', p.withdrawn_for, ' ', p.changed_by), $3);

-- erasing.quotation_lines
UPDATE quotation_lines p SET remark = without_words(p.remark,
  $3) WHERE p.tenant_id = $1 AND (p.version_id IN (SELECT v.id FROM quotation_versions v JOIN quotations x
ON x.tenant_id = $1 AND x.id = v.quotation_id WHERE v.tenant_id = $1 AND x.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.remark), $3);

-- erasing.quotation_versions
UPDATE quotation_versions p SET remark = without_words(p.remark, $3), reason = without_words(p.reason,
  $3) WHERE p.tenant_id = $1 AND (p.quotation_id IN (SELECT x.id FROM quotations x WHERE x.tenant_id = $1
    AND x.customer_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)))
      AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.remark,
        ' ', p.reason), $3);

-- erasing.quotations
UPDATE quotations p SET void_reason = without_words(p.void_reason,
  $3) WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL AND has_word(concat(p.void_reason), $3);

-- erasing.receptions
UPDATE receptions p SET purpose = without_words(p.purpose, $3), remark = without_words(p.remark, $3),
  record = without_words(p.record, $3), score_words = without_words(p.score_words, $3),
    scored_by = without_words(p.scored_by, $3), entered_by = without_words(p.entered_by, $3),
      changed_by = without_words(p.changed_by,
        $3) WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
          FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
            AND $4::text[] IS NOT NULL AND has_word(concat(p.purpose, ' ', p.remark, ' ', p.record, ' ', p.score_words,
              ' ', p.scored_by, ' ', p.entered_by, ' ', p.changed_by), $3);

-- erasing.saved_views
UPDATE saved_views p SET value = without_words(p.value::text,
  $3)::jsonb WHERE p.tenant_id = $1 AND (has_word(p.value::text,
    $3)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasing.site_events
UPDATE site_events p SET title = without_words(p.title, $3), actor = without_words(p.actor,
  $3) WHERE p.tenant_id = $1 AND ((p.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)
    OR p.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'workSites') v)))
      AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.title, ' ',
        p.actor), $3);

-- erasing.sites
UPDATE sites p SET ws_name = without_words(p.ws_name, $3), stop_remark = without_words(p.stop_remark, $3),
  outside_contract = without_words(p.outside_contract,
    $3) WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v))
      AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.ws_name,
        ' ', p.stop_remark, ' ', p.outside_contract), $3);

-- erasing.tellattendance_days
SELECT concat(p.day, ' ', to_char(p.first_at AT TIME ZONE 'Asia/Shanghai', 'HH24:MI'), ' 至 ',
to_char(p.last_at AT TIME ZONE 'Asia/Shanghai', 'HH24:MI')) AS said, array_remove('{}'::text[], NULL) AS keys
   FROM attendance_days p WHERE p.tenant_id = $1 AND (p.worker_id IN (SELECT v::uuid
     FROM jsonb_array_elements_text($2::jsonb -> 'workers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
       AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellattendance_events
SELECT concat_ws(' ', to_char(p.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'),
  nullif(CASE p.direction WHEN 'in' THEN '进场' ELSE '离场' END, '')) AS said, array_remove(ARRAY[p.picture], NULL) AS keys
FROM attendance_events p WHERE p.tenant_id = $1 AND (p.worker_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'workers') v) AND p.picture IS NOT NULL) AND $2::jsonb IS NOT NULL
    AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellconsents
SELECT concat_ws(' ', to_char(p.recorded_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'),
  nullif(CASE WHEN p.kind = 'face' THEN '采集人脸' WHEN p.kind = 'ownerVideo' THEN '手机看现场'
    WHEN p.kind = 'case' THEN '公开为案例' ELSE coalesce('未知(' || p.kind || ')', '') END, ''), nullif(p.scope, '')) AS said,
      array_remove('{}'::text[], NULL) AS keys
   FROM consents p WHERE p.tenant_id = $1 AND ((p.subject_type = 'contact' AND p.subject_id IN (SELECT v::uuid
     FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)
OR p.subject_type = 'worker' AND p.subject_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'workers') v))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellcontract_receipts
SELECT concat_ws(' ', p.code, p.paid_on, p.payer, p.amount) AS said, array_remove('{}'::text[], NULL) AS keys
FROM contract_receipts p WHERE p.tenant_id = $1 AND (p.contract_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'contracts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellcontracts
SELECT concat_ws(' ', p.code, p.signed_on) AS said, array_remove('{}'::text[], NULL) AS keys
FROM contracts p WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'contracts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellcustomer_briefs
SELECT concat_ws(' ', to_char(p.changed_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.taste, ''),
  nullif(p.people, ''), nullif(p.fears, ''), nullif(p.given, '')) AS said, array_remove('{}'::text[], NULL) AS keys
FROM customer_briefs p WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellcustomer_contacts
SELECT concat_ws(' ', to_char(p.created_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.name, ''),
  nullif(p.phone, '')) AS said, array_remove('{}'::text[], NULL) AS keys
FROM customer_contacts p WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'furthers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellcustomer_events
SELECT concat_ws(' ', to_char(p.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.text, '')) AS said,
  array_remove('{}'::text[], NULL) AS keys
FROM customer_events p WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellcustomer_promises
SELECT concat_ws(' ', to_char(p.made_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.content,
  '')) AS said, array_remove('{}'::text[], NULL) AS keys
FROM customer_promises p WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellcustomers
SELECT concat_ws(' ', to_char(p.created_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.name, ''),
  nullif(p.phone, ''), nullif(p.community, ''), nullif(p.address, '')) AS said, array_remove('{}'::text[], NULL) AS keys
FROM customers p WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'leads') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.telldispatches
SELECT concat_ws(' ', to_char(p.made_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.code, ''),
  nullif(p.contact, ''), nullif(p.contact_phone, '')) AS said, array_remove('{}'::text[], NULL) AS keys
FROM dispatches p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.contact, ' ', p.contact_phone, ' ', p.delivered_name, ' ',
      p.reason, ' ', p.damage), $3) LIMIT 200;

-- erasing.tellfeedback
SELECT concat_ws(' ', to_char(p.entered_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.no, ''),
  nullif(p.words, '')) AS said, array_remove('{}'::text[], NULL) AS keys
FROM feedback p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.words, ' ', p.entered_by, ' ', p.result, ' ', p.pause_text, ' ',
      p.changed_by), $3) LIMIT 200;

-- erasing.tellfollow_ups
SELECT concat_ws(' ', to_char(p.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.content, ''),
  nullif(p.result, '')) AS said, array_remove('{}'::text[], NULL) AS keys
FROM follow_ups p WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellhandover_questions
SELECT concat_ws(' ', to_char(p.asked_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.text, ''),
  nullif(p.answer, '')) AS said, array_remove('{}'::text[], NULL) AS keys
FROM handover_questions p WHERE p.tenant_id = $1 AND (p.handover_id IN (SELECT x.id FROM handovers x
  WHERE x.tenant_id = $1 AND x.customer_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'customers') v))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellhandovers
SELECT concat_ws(' ', to_char(p.made_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.taste, ''),
  nullif(p.people, ''), nullif(p.fears, ''), nullif(p.given, '')) AS said, array_remove('{}'::text[], NULL) AS keys
FROM handovers p WHERE p.tenant_id = $1 AND (p.customer_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellhome_contacts
SELECT concat_ws(' ', p.name, p.phone) AS said, array_remove('{}'::text[], NULL) AS keys
FROM home_contacts p WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellhome_devices
SELECT concat_ws(' ', to_char(p.asked_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.name,
  '')) AS said, array_remove('{}'::text[], NULL) AS keys
FROM home_devices p WHERE p.tenant_id = $1 AND (p.contact_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.telllink_openings
SELECT concat_ws(' ', to_char(p.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.ip, ''),
  nullif(p.agent, '')) AS said, array_remove('{}'::text[], NULL) AS keys
       FROM link_openings p WHERE p.tenant_id = $1 AND (p.link_id IN (SELECT x.id FROM links x WHERE x.tenant_id = $1
         AND (x.kind = 'owner' AND x.target_id IN (SELECT v::uuid
           FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)
OR x.customer_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'customers') v))))
  AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.telllinks
SELECT concat_ws(' ', to_char(p.made_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.title,
  '')) AS said, array_remove('{}'::text[], NULL) AS keys
       FROM links p WHERE p.tenant_id = $1 AND ((p.kind = 'owner' AND p.target_id IN (SELECT v::uuid
         FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)
OR p.customer_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'customers') v)))
  AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellorders
SELECT concat_ws(' ', to_char(p.made_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.code, ''),
  nullif(p.contact, ''), nullif(p.contact_phone, '')) AS said, array_remove('{}'::text[], NULL) AS keys
FROM orders p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.contact, ' ', p.contact_phone, ' ', p.remark, ' ', p.reason, ' ',
      p.ask_reason), $3) LIMIT 200;

-- erasing.tellowners
SELECT concat_ws(' ', p.name, p.phone) AS said, array_remove('{}'::text[], NULL) AS keys
FROM owners p WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'owners') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellpromises
SELECT concat_ws(' ', to_char(p.made_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.content,
  '')) AS said, array_remove('{}'::text[], NULL) AS keys
FROM promises p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.content, ' ', p.subject, ' ', p.changed_by), $3) LIMIT 200;

-- erasing.tellquestion_answers
SELECT concat_ws(' ', to_char(p.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.words, '')) AS said,
  array_remove('{}'::text[], NULL) AS keys
FROM question_answers p WHERE p.tenant_id = $1 AND (p.question_id IN (SELECT x.id FROM questions x
  WHERE x.tenant_id = $1 AND x.site_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)))
    AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.words, ' ',
      p.recorded_by), $3) LIMIT 200;

-- erasing.tellreceptions
SELECT concat_ws(' ', to_char(p.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.purpose, ''),
  nullif(p.record, '')) AS said, array_remove('{}'::text[], NULL) AS keys
FROM receptions p WHERE p.tenant_id = $1 AND (p.site_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'sites') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL AND has_word(concat(p.purpose, ' ', p.remark, ' ', p.record, ' ', p.score_words, ' ',
      p.scored_by, ' ', p.entered_by, ' ', p.changed_by), $3) LIMIT 200;

-- erasing.tellthread_messages
SELECT concat_ws(' ', to_char(p.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.words, '')) AS said,
  array_remove(p.pictures, NULL) AS keys
FROM thread_messages p WHERE p.tenant_id = $1 AND (p.contact_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellvideo_views
SELECT concat_ws(' ', to_char(p.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif('业主查看', '')) AS said,
  array_remove('{}'::text[], NULL) AS keys
FROM video_views p WHERE p.tenant_id = $1 AND (p.contact_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellviolations
SELECT concat_ws(' ', to_char(p.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'),
  nullif(CASE WHEN p.type = 'noclothes' THEN '未穿工服' WHEN p.type = 'smoking' THEN '抽烟'
    WHEN p.type = 'helmet' THEN '未戴安全帽' WHEN p.type = 'electric' THEN '违规用电' WHEN p.type = 'fire' THEN '违规动火'
      WHEN p.type = 'litter' THEN '乱扔垃圾' WHEN p.type = 'other' THEN '其他' ELSE coalesce('未知(' || p.type || ')', '') END,
        '')) AS said, array_remove('{}'::text[], NULL) AS keys
FROM violations p WHERE p.tenant_id = $1 AND (p.worker_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'workers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellvisits
SELECT concat_ws(' ', to_char(p.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), nullif(p.remark, '')) AS said,
  array_remove(ARRAY[p.picture], NULL) AS keys
FROM visits p WHERE p.tenant_id = $1 AND ((p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'visits') v) OR p.worker_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'workers') v))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellworker_documents
SELECT concat_ws(' ',
  CASE WHEN p.kind = 'identity' THEN '身份证' WHEN p.kind = 'electrician' THEN '电工证' WHEN p.kind = 'welder' THEN '焊工证'
    WHEN p.kind = 'heights' THEN '高处作业证' WHEN p.kind = 'training' THEN '安全培训' WHEN p.kind = 'insurance' THEN '意外险'
      WHEN p.kind = 'health' THEN '健康证' WHEN p.kind = 'other' THEN '其他' ELSE coalesce('未知(' || p.kind || ')', '') END,
        p.number) AS said, array_remove(ARRAY[p.picture], NULL) AS keys
FROM worker_documents p WHERE p.tenant_id = $1 AND (p.worker_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'workers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.tellworkers
SELECT '登记的人脸' AS said, array_remove(ARRAY[p.w_face], NULL) AS keys
FROM workers p WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'workers') v) AND p.w_face IS NOT NULL) AND $2::jsonb IS NOT NULL
    AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL LIMIT 200;

-- erasing.thread_messages
UPDATE thread_messages p SET words = '已删除', who = '已删除',
  pictures = '{}' WHERE p.tenant_id = $1 AND (p.contact_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL;

-- erasing.video_views
UPDATE video_views p SET user_name = '已删除',
  words = '' WHERE p.tenant_id = $1 AND (p.contact_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'contacts') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL;

-- erasing.violation_logs
UPDATE violation_logs p SET actor = without_words(p.actor, $3), text = without_words(p.text,
  $3) WHERE p.tenant_id = $1 AND (p.violation_id IN (SELECT x.id FROM violations x WHERE x.tenant_id = $1
    AND x.worker_id IN (SELECT v::uuid FROM jsonb_array_elements_text($2::jsonb -> 'workers') v)))
      AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL AND has_word(concat(p.actor, ' ',
        p.text), $3);

-- erasing.violations
UPDATE violations p SET remark = without_words(p.remark, $3), changed_by = without_words(p.changed_by,
  $3) WHERE p.tenant_id = $1 AND (p.worker_id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'workers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
      AND $4::text[] IS NOT NULL AND has_word(concat(p.remark, ' ', p.changed_by), $3);

-- erasing.visits
UPDATE visits p SET picture = NULL, remark = '', similarity = NULL,
  version = p.version + 1 WHERE p.tenant_id = $1 AND ((p.id IN (SELECT v::uuid
    FROM jsonb_array_elements_text($2::jsonb -> 'visits') v) OR p.worker_id IN (SELECT v::uuid
      FROM jsonb_array_elements_text($2::jsonb -> 'workers') v))) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
        AND $4::text[] IS NOT NULL;

-- erasing.worker_documents
DELETE FROM worker_documents p WHERE p.tenant_id = $1 AND (p.worker_id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'workers') v)) AND $2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL
    AND $4::text[] IS NOT NULL;

-- erasing.workers
UPDATE workers p SET w_face = NULL WHERE p.tenant_id = $1 AND (p.id IN (SELECT v::uuid
  FROM jsonb_array_elements_text($2::jsonb -> 'workers') v) AND p.w_face IS NOT NULL) AND $2::jsonb IS NOT NULL
    AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL;

-- erasures.groups
SELECT t.id::text AS id FROM tenants t;

-- figures.database
SELECT pg_database_size(current_database())::float8 AS bytes;

-- figures.devices
SELECT d.device_status::int AS state, count(*)::int AS n
FROM devices d
WHERE d.tenant_id = $1 AND d.deleted_at IS NULL
GROUP BY d.device_status;

-- figures.group
SELECT (SELECT coalesce(sum(f.bytes), 0)::float8 FROM files f WHERE f.tenant_id = $1) AS files,
(SELECT count(*)::int FROM files_leaving l WHERE l.tenant_id = $1) AS leaving,
(SELECT coalesce(extract(epoch FROM max(u.at)), 0)::float8
 FROM user_logs u
 WHERE u.tenant_id = $1 AND u.object = 'log' AND u.after IS NOT NULL) AS verified;

-- figures.groups
SELECT t.id FROM tenants t;

-- installation.files
SELECT files_mark AS mark FROM installation;

-- installation.first
INSERT INTO installation (key_print) VALUES ($1) ON CONFLICT DO NOTHING;

-- installation.marked
UPDATE installation SET files_mark = $1 WHERE files_mark IS NULL;

-- installation.named
SELECT f.key FROM files f WHERE f.tenant_id = $1 ORDER BY f.key DESC LIMIT 100;

-- installation.print
SELECT key_print AS print FROM installation;

-- installation.tenants
SELECT id FROM tenants;

-- jobs.claim
INSERT INTO job_runs AS j (tenant_id, kind, met_at, holder, held_until, started_at)
VALUES ($1, $2, :now, $3, :now + interval '2 minutes', :now)
ON CONFLICT (tenant_id, kind) DO UPDATE
SET holder = excluded.holder, held_until = excluded.held_until, started_at = excluded.started_at
WHERE coalesce((SELECT max(d) FROM unnest(j.done || j.done_for) d WHERE d <= greatest($4::timestamptz,
  :now + interval '1 hour')) < $4,
    true) AND (j.held_until IS NULL OR j.held_until < :now OR j.held_until > :now + interval '2 hours')
RETURNING (SELECT max(d) FROM unnest(j.done || j.done_for) d WHERE d <= :now + interval '1 hour') AS since,
  j.met_at AS met;

-- jobs.done
UPDATE job_runs
SET done_for = $4, done = (array_prepend($4::timestamptz, done))[1:20], succeeded_at = :now,
  failures = 0, error = '', note = $5, holder = NULL, held_until = NULL
WHERE tenant_id = $1 AND kind = $2 AND holder = $3;

-- jobs.due
SELECT k."order", t.id AS tenant FROM json_to_recordset($1::json) AS k("order" int, kind text, whole boolean,
  "first" boolean, moment timestamptz)
JOIN (SELECT id, false AS whole FROM tenants UNION ALL SELECT '00000000-0000-0000-0000-000000000000'::uuid,
  true) t ON t.whole = k.whole
   JOIN job_runs j ON j.tenant_id = t.id AND j.kind = k.kind
   WHERE coalesce((SELECT max(d) FROM unnest(j.done || j.done_for) d WHERE d <= :now + interval '1 hour') < k.moment,
     true)
     AND (k."first" OR j.met_at < k.moment OR j.met_at > :now + interval '1 hour')
     AND (j.held_until IS NULL OR j.held_until < :now OR j.held_until > :now + interval '2 hours')
   ORDER BY k."order", t.id;

-- jobs.failed
UPDATE job_runs
SET failed_at = :now, failures = failures + 1, error = $4, holder = NULL,
  held_until = :now + interval '1 minute' * least(60, 2 ^ least(failures, 10))
WHERE tenant_id = $1 AND kind = $2 AND holder = $3;

-- jobs.held
SELECT 1 FROM job_runs j WHERE j.tenant_id = $1 AND j.kind = $2 AND NOT (j.held_until IS NULL OR j.held_until < :now
  OR j.held_until > :now + interval '2 hours') AND j.holder IS NOT NULL;

-- jobs.meet
INSERT INTO job_runs (tenant_id, kind, met_at) SELECT t.id, k.kind,
  :now FROM json_to_recordset($1::json) AS k("order" int, kind text, whole boolean, "first" boolean, moment timestamptz)
JOIN (SELECT id, false AS whole FROM tenants UNION ALL SELECT '00000000-0000-0000-0000-000000000000'::uuid,
  true) t ON t.whole = k.whole
   WHERE NOT EXISTS (SELECT 1 FROM job_runs j WHERE j.tenant_id = t.id AND j.kind = k.kind)
   ON CONFLICT DO NOTHING;

-- jobs.renew
UPDATE job_runs SET held_until = :now + interval '2 minutes' WHERE tenant_id = $1 AND kind = $2 AND holder = $3;

-- jobs.tenants
SELECT id FROM tenants ORDER BY id;

-- live.begin
SELECT high.seq AS high, before + 1 AS first, gap.seq - 1 AS last
FROM (SELECT max(seq) AS seq FROM live_events) high
LEFT JOIN (SELECT seq, lag(seq) OVER (ORDER BY seq) AS before FROM live_events) gap
  ON gap.seq > before + 1
ORDER BY gap.seq;

-- live.known
SELECT EXISTS (SELECT FROM live_events WHERE seq <= $1) AS low,
EXISTS (SELECT FROM live_events WHERE seq >= $2) AS high;

-- live.look
SELECT look.floor, look.ceiling, look.top, look.known_at, found.*
FROM (
  SELECT pg_snapshot_xmin(s)::text AS floor, pg_snapshot_xmax(s)::text AS ceiling,
    (SELECT max(seq) FROM live_events) AS top,
    (pg_current_wal_insert_lsn() - '0/0')::bigint AS known_at
  FROM pg_current_snapshot() s
) look
LEFT JOIN LATERAL (
  (SELECT seq, tenant_id, bc_id, site_id, user_id, receiver_id, except_id, topic, what, ref_id,
floor(extract(epoch FROM at))::float8 AS at FROM live_events WHERE seq > $1 ORDER BY seq LIMIT 1000)
  UNION ALL
  SELECT seq, tenant_id, bc_id, site_id, user_id, receiver_id, except_id, topic, what, ref_id,
floor(extract(epoch FROM at))::float8 AS at
  FROM unnest($2::bigint[], $3::bigint[]) AS gap (first, last)
  JOIN live_events ON seq BETWEEN gap.first AND gap.last
) found ON true;

-- live.missed
SELECT seq, tenant_id, bc_id, site_id, user_id, receiver_id, except_id, topic, what, ref_id,
floor(extract(epoch FROM at))::float8 AS at
             FROM live_events
             WHERE tenant_id = $1 AND seq > $2 AND seq <= $3
             ORDER BY seq
             LIMIT 501;

-- metrics.backup
SELECT coalesce(extract(epoch FROM max(at)), 0)::float8 AS at FROM backups;

-- metrics.jobs
SELECT kind, extract(epoch FROM min(succeeded_at))::float8 AS succeeded, max(failures) AS failures
FROM job_runs
GROUP BY kind;

-- repeats.claim
INSERT INTO idempotency (tenant_id, user_id, key_hash, request_hash, at)
VALUES ($1, $2, $3, $4, :now)
ON CONFLICT DO NOTHING;

-- repeats.first
SELECT request_hash, answer FROM idempotency WHERE tenant_id = $1 AND user_id = $2 AND key_hash = $3;

-- repeats.keep
UPDATE idempotency SET answer = $4 WHERE tenant_id = $1 AND user_id = $2 AND key_hash = $3;

-- retention.delivery_days
DELETE FROM delivery_days WHERE ctid >= $1::tid AND ctid < $2::tid
  AND (day < (:now AT TIME ZONE 'Asia/Shanghai')::date - 60);

-- retention.device_nonces
DELETE FROM device_nonces WHERE ctid = ANY (ARRAY(SELECT ctid FROM device_nonces WHERE expires_at < :now LIMIT 10000));

-- retention.device_receipts
DELETE FROM device_receipts WHERE ctid >= $1::tid AND ctid < $2::tid
  AND (received_on < (:now AT TIME ZONE 'Asia/Shanghai')::date - 9);

-- retention.device_seen
DELETE FROM device_seen WHERE ctid >= $1::tid AND ctid < $2::tid
  AND (gone_on < (:now AT TIME ZONE 'Asia/Shanghai')::date);

-- retention.devices
SELECT days, id
FROM (SELECT d.id,
  least((SELECT s.value FROM settings s WHERE s.tenant_id = d.tenant_id AND s.key = 'rawDays' AND s.bc_id = d.bc_id),
    coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = d.tenant_id AND s.key = 'rawDays'
      AND s.bc_id IS NULL), '400'::jsonb))::text::int AS days FROM devices d WHERE d.tenant_id = $1) k
WHERE days < $2 ORDER BY id;

-- retention.drop
SELECT drop_raw_month($1::date);

-- retention.idempotency
DELETE FROM idempotency WHERE ctid >= $1::tid AND ctid < $2::tid AND (at < :now - interval '2 days');

-- retention.jobs
DELETE FROM jobs WHERE ctid >= $1::tid AND ctid < $2::tid AND (day < (:now AT TIME ZONE 'Asia/Shanghai')::date - 90);

-- retention.live_events
DELETE FROM live_events WHERE ctid = ANY (ARRAY(SELECT place FROM (SELECT ctid AS place,
  at FROM live_events ORDER BY seq LIMIT 10000) o
WHERE at < :now - interval '2 hours'));

-- retention.login_failures
DELETE FROM login_failures WHERE ctid >= $1::tid AND ctid < $2::tid AND (until < :now);

-- retention.longest
SELECT max(days) AS longest FROM (
SELECT least((SELECT s.value FROM settings s WHERE s.tenant_id = c.tenant_id AND s.key = 'rawDays'
  AND s.bc_id = c.bc_id),
    coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = c.tenant_id AND s.key = 'rawDays'
      AND s.bc_id IS NULL), '400'::jsonb))::text::int AS days FROM companies c
UNION ALL SELECT least((SELECT s.value FROM settings s WHERE s.tenant_id = t.id AND s.key = 'rawDays'
  AND s.bc_id = NULL::uuid),
    coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = t.id AND s.key = 'rawDays' AND s.bc_id IS NULL),
      '400'::jsonb))::text::int FROM tenants t) k;

-- retention.months
SELECT to_char(to_date(right(c.relname, 6), 'YYYYMM'), 'YYYY-MM-DD') AS month
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'raw_events'::regclass ORDER BY 1;

-- retention.notifications
DELETE FROM notifications WHERE ctid >= $1::tid AND ctid < $2::tid AND (at < :now - interval '180 days');

-- retention.oidc_states
DELETE FROM oidc_states WHERE ctid >= $1::tid AND ctid < $2::tid AND (expires_at < :now);

-- retention.oldreports
SELECT count(*)::int AS n
FROM (SELECT 1 FROM devices d
  JOIN raw_events r ON r.tenant_id = $1 AND r.device_id = d.id AND r.at < $3
  WHERE d.tenant_id = $1 AND d.bc_id = $2
  LIMIT $4) k;

-- retention.overlap
SELECT to_regclass('public.' || $1) IS NULL AS gone, NOT EXISTS (
SELECT FROM pg_stat_activity
WHERE datname = current_database() AND usename = current_user
  AND coalesce(substring(application_name FROM '^zhuguan (\d{1,6})$')::int, 0) < $2) AS alone;

-- retention.pages
SELECT pg_relation_size($1::regclass) / current_setting('block_size')::int AS pages;

-- retention.raw
DELETE FROM raw_events WHERE tenant_id = $1 AND device_id = $2 AND at < $3 AND at <= coalesce(
(SELECT at FROM raw_events WHERE tenant_id = $1 AND device_id = $2 AND at < $3 ORDER BY at OFFSET 9999 LIMIT 1), $3);

-- retention.reminders
DELETE FROM reminders WHERE ctid >= $1::tid AND ctid < $2::tid AND (at < :now - interval '400 days');

-- retention.rule
SELECT drop_alarms_open();

-- retention.screen_codes
DELETE FROM screen_codes WHERE ctid >= $1::tid AND ctid < $2::tid AND (expires_at < :now);

-- retention.sessions
DELETE FROM sessions WHERE ctid >= $1::tid AND ctid < $2::tid AND (coalesce(revoked_at,
  expires_at) < :now - interval '30 days');
