/** Of each quotation's customer: a link that was sent, and what is composed for them. */
export const shareRows: readonly string[] = [
  `links (tenant_id, id, bc_id, kind, target_id, customer_id, title, person, generation, hash, password, expires_at,
       made_by, made_name, made_at)
     SELECT q.tenant_id, gen_random_uuid(), q.bc_id, 'quotation', v.id, q.customer_id, k.name, k.name, 1,
       sha256((q.code || 'link')::bytea), 'p', '2099-01-01', q.quoter_id, k.name, :now
     FROM quotations q JOIN quotation_versions v ON v.quotation_id = q.id JOIN customers k ON k.id = q.customer_id
     WHERE q.code LIKE 'BJ-%'`,
  `previews (tenant_id, id, bc_id, customer_id, title, words, made_by, made_name, made_at, changed_at, changed_by)
     SELECT q.tenant_id, gen_random_uuid(), q.bc_id, q.customer_id, k.name, k.name, q.quoter_id, k.name, :now, :now, ''
     FROM quotations q JOIN customers k ON k.id = q.customer_id WHERE q.code LIKE 'BJ-%'`,
]
