/** In every store: what its walls show, and a wall. */
export const wallRows: readonly string[] = [
  `arrangements (tenant_id, id, bc_id, store_id, name, scenes, changed_by, changed_at)
     SELECT k.tenant_id, gen_random_uuid(), k.bc_id, k.id, c.city || '编排',
       '[{"kind": "figures", "seconds": 15, "words": "", "from": null, "to": null}]', c.city, :now
     FROM stores k JOIN companies c ON c.bc_id = k.bc_id`,
  `screens (tenant_id, id, bc_id, store_id, name, kind, hash, arrangement_id, width, height, paired_by, paired_at)
     SELECT a.tenant_id, gen_random_uuid(), a.bc_id, a.store_id, a.name, 'public', sha256(a.id::text::bytea), a.id,
       1, 1, a.changed_by, :now
     FROM arrangements a`,
]
