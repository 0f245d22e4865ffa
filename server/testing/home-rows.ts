/** Rows of a home in every branch: who is of it, when they come, what was said and promised. */
export const homeRows = (city: string, first: string): string[] => [
  `home_contacts (tenant_id, id, bc_id, site_id, name, phone, relation, since)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, ${city} || '太太', '13900001111', 'spouse', :now ${first}`,
  `video_grants (tenant_id, id, bc_id, site_id, contact_id, from_day, to_day, from_time, to_time, state, granted_by,
       granted_at, changed_by, changed_at)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, (SELECT h.id FROM home_contacts h
       WHERE h.site_id = w.id AND h.owner_id IS NULL LIMIT 1), :today, :today, '09:00', '18:00',
       'active', ${city}, :now,
       ${city}, :now ${first}`,
  `receptions (tenant_id, id, bc_id, site_id, at, planned, host_id, purpose, remark, state, entered_by)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, :now + interval '1 day', true, w.steward_id, 'look', ${city},
       'planned', '' ${first}`,
  `threads (tenant_id, site_id, bc_id, newest, waiting_since, waiting_from, due_at, late_at, changed_at)
     SELECT w.tenant_id, w.id, w.bc_id, 1, :now, 1, :now + interval '4 hours', :now + interval '8 hours',
       :now ${first}`,
  `thread_messages (tenant_id, id, site_id, bc_id, seq, kind, side, channel, who, words, at)
     SELECT w.tenant_id, gen_random_uuid(), w.id, w.bc_id, 1, 'words', 'owner', 'page', '业主', ${city} || '的业主问',
       :now ${first}`,
  `promises (tenant_id, id, bc_id, site_id, content, subject, author_id, post, responsible_id, first_due, due,
       made_at, changed_by, changed_at)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, ${city}, 'goods', u.id, 1, w.steward_id, :today, :today,
       :now, ${city}, :now ${first}`,
  `warnings (tenant_id, id, bc_id, site_id, rule, cause, about, deviation, level, told_level, ball, opened_at,
       changed_by, changed_at)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, 'failed', ${city}, ${city}, 2, 1, 1, 'manager', :now,
       ${city}, :now ${first}`,
  `cases (tenant_id, id, bc_id, site_id, title, made_by, made_at, changed_at)
   SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, ${city} || '案例', '', :now, :now ${first}`,
  `case_pictures (tenant_id, id, case_id, picture, taken_on, state, masked_picture, masked_id)
   SELECT k.tenant_id, gen_random_uuid(), k.id, gen_random_uuid() || '.jpg', :today, 'released',
     gen_random_uuid() || '.jpg', (SELECT u.id FROM users u WHERE u.bc_id = k.bc_id LIMIT 1)
   FROM cases k`,
  `person_requests (tenant_id, id, bc_id, no, ask, kind, subject_id, name, words, due, received_by, received_at)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, 'GX-' || c.code, 'erase', 'owner',
       (SELECT h.id FROM home_contacts h WHERE h.site_id = w.id LIMIT 1), ${city}, ${city}, :today + 15, ${city}, :now
     ${first}`,
]

/** Of each contract: what its customer was promised before the signature, and the sheet that it made. */
export const HANDOVER_ROWS: readonly string[] = [
  `customer_promises (tenant_id, id, customer_id, content, subject, due, post, author_id, made_at)
   SELECT tenant_id, gen_random_uuid(), customer_id, package_name, 'goods', '2099-01-01', 1, made_by, :now
   FROM contracts`,
  `handovers (tenant_id, id, bc_id, site_id, customer_id, taste, people, fears, given, made_at)
   SELECT tenant_id, gen_random_uuid(), bc_id, site_id, customer_id, package_name, package_name, '', '', :now
   FROM contracts`,
]
