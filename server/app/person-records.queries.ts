import type { Tx } from '../database/connect.ts'
import type { Person, PersonIds, PersonName, Subject } from '../features/persons/erasing-work.ts'
import { jsonb, row, text, uuid } from '../kit/row.ts'

/** The same number, however it is written. */
const same = (a: string, b: string) => `replace(${a}, '-', '') = replace(${b}, '-', '')`
const asText = (of: string) => `(SELECT coalesce(jsonb_agg(DISTINCT x.id), '[]'::jsonb) FROM ${of} x)`
const IS = (name: string, phone: string) => `EXISTS (SELECT FROM me m
         WHERE m.phone <> '' AND m.name = ${name} AND ${same('m.phone', phone)})`

/**
 * Every record of one person: the one that was named, those that hang on it, and those of the same name and number. Of
 * somebody without a number only the named one, since a name alone is many people's.
 */
export async function personBehind(tx: Tx, tenant: string, { id, kind }: Subject): Promise<Person> {
  const { rows } = await tx.query(
    'erasing.find',
    row({ ids: jsonb<Record<string, string[]>>() }),
    `WITH me AS (
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
       WHERE o.tenant_id = $1 AND (o.id IN (SELECT m.owner_id FROM me m) OR ${IS('o.name', 'o.phone')})),
     contact AS (
       SELECT h.id, h.site_id, h.ended_at FROM home_contacts h
       WHERE h.tenant_id = $1 AND ($3 = 'owner' AND h.id = $2::uuid
         OR h.name IS NULL AND h.owner_id IN (SELECT x.id FROM owned x)
         OR ${IS('h.name', 'h.phone')})),
     customer AS (
       SELECT k.id FROM customers k
       WHERE k.tenant_id = $1 AND ($3 = 'customer' AND k.id = $2::uuid OR k.owner_id IN (SELECT x.id FROM owned x)
         OR ${IS('k.name', 'k.phone')})),
     worker AS (
       SELECT w.id FROM workers w
       WHERE w.tenant_id = $1 AND ($3 = 'worker' AND w.id = $2::uuid OR ${IS('w.w_name', 'w.w_contact')})),
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
         OR ${IS('f.name', 'f.phone')})),
     site AS (SELECT x.site_id AS id FROM contact x),
     home AS (SELECT x.site_id AS id FROM contact x WHERE x.ended_at IS NULL),
     worksite AS (
       SELECT m.site_id AS id FROM site_members m
       WHERE m.tenant_id = $1 AND m.worker_id IN (SELECT x.id FROM worker x)
       UNION SELECT v.site_id FROM visits v
       WHERE v.tenant_id = $1 AND v.worker_id IN (SELECT x.id FROM worker x)
       UNION SELECT b.site_id FROM violations b
       WHERE b.tenant_id = $1 AND b.worker_id IN (SELECT x.id FROM worker x))
     SELECT jsonb_build_object('owners', ${asText('owned')}, 'contacts', ${asText('contact')},
         'customers', ${asText('customer')}, 'signed', ${asText('signed')}, 'leads', ${asText('lead')},
         'furthers', ${asText('further')}, 'workers', ${asText('worker')}, 'contracts', ${asText('contract')},
         'sites', ${asText('site')}, 'homes', ${asText('home')}, 'workSites', ${asText('worksite')},
         'visits', CASE WHEN $3 = 'visitor' THEN jsonb_build_array($2::text) ELSE '[]'::jsonb END) AS ids`,
    [tenant, id, kind],
  )
  const { ids } = rows[0]!
  return { ids, names: await namesOf(tx, tenant, ids) }
}

/** The words of these records about their person now. */
export async function namesOf(tx: Tx, tenant: string, ids: PersonIds): Promise<PersonName[]> {
  const { rows } = await tx.query(
    'erasing.names',
    row({ name: text, phone: text, address: text }),
    `SELECT o.name, o.phone, '' AS address FROM owners o WHERE o.tenant_id = $1 AND o.id = ANY ($2::uuid[])
     UNION SELECT coalesce(h.name, o.name, ''), coalesce(h.phone, o.phone, ''), '' FROM home_contacts h
       LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
       WHERE h.tenant_id = $1 AND h.id = ANY ($3::uuid[])
     UNION SELECT k.name, k.phone, CASE WHEN k.id = ANY ($6::uuid[]) THEN k.address ELSE '' END FROM customers k
       WHERE k.tenant_id = $1 AND k.id = ANY ($4::uuid[])
     UNION SELECT f.name, f.phone, '' FROM customer_contacts f
       WHERE f.tenant_id = $1 AND f.id = ANY ($7::uuid[])
     UNION SELECT w.w_name, w.w_contact, '' FROM workers w WHERE w.tenant_id = $1 AND w.id = ANY ($5::uuid[])`,
    [tenant, ids.owners, ids.contacts, ids.customers, ids.workers, ids.leads, ids.furthers],
  )
  return rows
}

/** What other people of the same homes and leads are called, the longest first. */
export async function othersBeside(tx: Tx, tenant: string, { ids, names }: Person): Promise<string[]> {
  const { rows } = await tx.query(
    'erasing.others',
    row({ name: text }),
    `SELECT h.name FROM home_contacts h
     WHERE h.tenant_id = $1 AND h.site_id = ANY ($2::uuid[]) AND h.name IS NOT NULL AND NOT h.id = ANY ($3::uuid[])
     UNION SELECT f.name FROM customer_contacts f
     WHERE f.tenant_id = $1 AND f.customer_id = ANY ($4::uuid[]) AND NOT f.id = ANY ($5::uuid[])`,
    [tenant, ids.sites, ids.contacts, ids.customers, ids.furthers],
  )
  const own = new Set(names.map((n) => n.name))
  return rows
    .map((r) => r.name)
    .filter((name) => name.length > 1 && !own.has(name))
    .sort((a, b) => b.length - a.length)
}

/** Records that are about this person: their own, and what hangs on their homes, leads and contracts. */
export async function idsAbout(tx: Tx, tenant: string, { ids }: Person): Promise<Set<string>> {
  const ofSites = [
    'orders',
    'dispatches',
    'feedback',
    'promises',
    'questions',
    'receptions',
    'cases',
    'handovers',
  ].map((table) => `SELECT x.id FROM ${table} x WHERE x.tenant_id = $1 AND x.site_id = ANY ($2::uuid[])`)
  const { rows } = await tx.query(
    'erasing.about',
    row({ id: uuid }),
    `${ofSites.join(' UNION ')}
     UNION SELECT x.id FROM home_devices x WHERE x.tenant_id = $1 AND x.contact_id = ANY ($3::uuid[])
     UNION SELECT x.id FROM quotations x WHERE x.tenant_id = $1 AND x.customer_id = ANY ($4::uuid[])
     UNION SELECT x.id FROM previews x WHERE x.tenant_id = $1 AND x.customer_id = ANY ($4::uuid[])
     UNION SELECT x.id FROM follow_ups x WHERE x.tenant_id = $1 AND x.customer_id = ANY ($4::uuid[])
     UNION SELECT x.id FROM links x
       WHERE x.tenant_id = $1 AND (x.target_id = ANY ($3::uuid[]) OR x.customer_id = ANY ($4::uuid[]))
     UNION SELECT x.id FROM violations x WHERE x.tenant_id = $1 AND x.worker_id = ANY ($5::uuid[])`,
    [tenant, ids.sites, ids.contacts, ids.customers, ids.workers],
  )
  return new Set([...Object.values(ids).flat(), ...rows.map((r) => r.id)])
}
