import type { DataScope } from '@zhuguan/contract/features/roles/roles.record.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, bytea, int8, json, row, text, texts, timestamptz, type RowOf, uuid } from '../../kit/row.ts'
import { standsFor } from '../../kit/standing-in.ts'

const accessRow = row({
  token_hash: bytea,
  tenant_id: uuid,
  user_id: uuid,
  created_at: timestamptz,
  expires_at: timestamptz,
  revoked: bool,
  active: bool,
  user_name: text,
  nickname: text,
  must_change: bool,
  roles: texts,
  holdings: json<{ dataScope: DataScope; pages: string[]; labels: string[] }[]>(),
  permissions: texts,
  stands_for: texts,
  pages: json<{ system: string; name: string }[]>(),
  branches: texts,
  stores: json<{ id: string; bc: string }[]>(),
  own_sites: json<{ id: string; bc: string }[]>().null,
  store_sites: json<{ id: string; bc: string }[]>().null,
  menu_version: text,
  known_at: int8,
})
export type AccessRow = RowOf<typeof accessRow>

/**
 * A session opened further ahead than this was opened while a clock was wrong: its end too is that far away. Servers'
 * clocks may differ by less.
 */
export const SESSION_SKEW_MINUTES = 5

/** The access behind sessions `s`, or behind rows that stand in for one. */
const accessOfEach = (sessions: string): string => `SELECT s.token_hash, s.tenant_id, s.user_id,
      s.created_at, s.expires_at, s.revoked_at IS NOT NULL AS revoked,
      (u.status = 1 AND u.deleted_at IS NULL) AS active, u.user_name, u.nickname,
      (u.must_change AND s.via = 'password') AS must_change,
      ${standsFor('s.tenant_id', 's.user_id')} AS stands_for,
      r.roles, r.holdings, r.permissions, r.pages, r.menu_version,
      (pg_current_wal_insert_lsn() - '0/0')::bigint AS known_at,
      ARRAY(SELECT bc_id::text FROM user_branches b WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id UNION SELECT u.bc_id::text WHERE u.bc_id IS NOT NULL) AS branches,
      (SELECT coalesce(json_agg(json_build_object('id', t.id, 'bc', t.bc_id)), '[]'::json)
        FROM user_stores b JOIN stores t ON t.tenant_id = b.tenant_id AND t.id = b.store_id
        WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id) AS stores,
      CASE WHEN 'ownSites' = ANY (r.scopes) THEN (SELECT json_agg(json_build_object('id', w.id, 'bc', w.bc_id)) FROM sites w WHERE w.tenant_id = u.tenant_id AND (w.manager_id = u.id OR w.steward_id = u.id) AND w.deleted_at IS NULL) END AS own_sites,
      CASE WHEN 'stores' = ANY (r.scopes) THEN (SELECT json_agg(json_build_object('id', w.id, 'bc', w.bc_id)) FROM sites w JOIN user_stores b ON b.tenant_id = w.tenant_id AND b.store_id = w.store_id AND b.user_id = u.id WHERE w.tenant_id = u.tenant_id AND w.deleted_at IS NULL) END AS store_sites
    FROM ${sessions} s JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(DISTINCT ro.code), '{}') AS roles, coalesce(array_agg(DISTINCT ro.data_scope), '{}') AS scopes,
        coalesce((SELECT json_agg(json_build_object('dataScope', g.data_scope,
            'labels', ARRAY(SELECT DISTINCT p.label FROM role_powers p WHERE p.tenant_id = u.tenant_id AND p.role_id = ANY (g.ids)),
            'pages', ARRAY(SELECT DISTINCT e.component_name FROM role_pages rp JOIN pages e ON e.tenant_id = rp.tenant_id AND e.id = rp.page_id
              WHERE rp.tenant_id = u.tenant_id AND rp.role_id = ANY (g.ids) AND e.component_name <> '')))
          FROM (SELECT o.data_scope, array_agg(o.id) AS ids FROM roles o WHERE o.tenant_id = u.tenant_id AND o.id = ANY (array_agg(ro.id)) GROUP BY 1) g), '[]'::json) AS holdings,
        ARRAY(SELECT DISTINCT label FROM role_powers p WHERE p.tenant_id = u.tenant_id AND p.role_id = ANY (array_agg(ro.id)) ORDER BY label) AS permissions,
        coalesce((SELECT json_agg(DISTINCT jsonb_build_object('system', g.system, 'name', g.component_name)) FROM role_pages rp JOIN pages g ON g.tenant_id = rp.tenant_id AND g.id = rp.page_id
          WHERE rp.tenant_id = u.tenant_id AND rp.role_id = ANY (array_agg(ro.id)) AND g.component_name <> ''), '[]'::json) AS pages,
        (SELECT md5(coalesce(string_agg(concat_ws('|', g.id, g.parent_id, g.path, g.name, g.icon, g.visible, g.keep_alive, g.memory_router, g.component_name, g.component, g.always_show, g.sort), E'\\n' ORDER BY g.id), ''))
          FROM pages g WHERE g.tenant_id = u.tenant_id) AS menu_version
      FROM user_roles ur JOIN roles ro ON ro.tenant_id = ur.tenant_id AND ro.id = ur.role_id AND ro.status = 1 WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id
    ) r`
const ACCESS = accessOfEach('sessions')
/** Somebody who is not signed in, for what is told to them outside. */
const ABSENT = `(SELECT ''::bytea AS token_hash, p.tenant_id, p.id AS user_id, :now::timestamptz AS created_at,
    :now::timestamptz + interval '1 minute' AS expires_at, NULL::timestamptz AS revoked_at, 'mail' AS via
  FROM users p WHERE p.tenant_id = $1 AND p.id = $2)`

/** Everything that decides what the holder of a token may do, in one round trip. */
export const accessOf = async (tx: Tx, tokenHash: Buffer): Promise<AccessRow | undefined> =>
  (await tx.last('session.access', accessRow, `${ACCESS} WHERE s.token_hash = $1`, [tokenHash])).rows[0]

/** The same of a person without a session. */
export const accessOfPerson = async (tx: Tx, tenant: string, user: string): Promise<AccessRow | undefined> =>
  (await tx.query('session.accessofperson', accessRow, accessOfEach(ABSENT), [tenant, user])).rows[0]

/** The same for many tokens. */
export const accessOfAll = async (tx: Tx, tokenHashes: Buffer[]): Promise<AccessRow[]> =>
  (await tx.last('session.accesses', accessRow, `${ACCESS} WHERE s.token_hash = ANY ($1)`, [tokenHashes]))
    .rows

/** Those of these sessions that are in force. */
export const livingOf = async (tx: Tx, tokenHashes: Buffer[], now: Date): Promise<Buffer[]> =>
  (
    await tx.last(
      'session.living',
      row({ token_hash: bytea }),
      `SELECT s.token_hash
       FROM sessions s
       JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
       WHERE s.token_hash = ANY ($1)
         AND s.revoked_at IS NULL
         AND s.expires_at > $2
         AND s.created_at <= $2::timestamptz + interval '${SESSION_SKEW_MINUTES} minutes'
         AND u.status = 1
         AND u.deleted_at IS NULL`,
      [tokenHashes, now],
    )
  ).rows.map((row) => row.token_hash)

/** Whether a session of this group stands behind a token: who looks at their own work without saying so. */
export async function isStaffOf(tx: Tx, tenant: string, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await tx.query(
    'access.isstaff',
    row({ user_id: uuid }),
    `SELECT s.user_id FROM sessions s
     WHERE s.tenant_id = $1 AND s.token_hash = $2 AND s.revoked_at IS NULL AND s.expires_at > :now`,
    [tenant, tokenHash],
  )
  return rows.length > 0
}
