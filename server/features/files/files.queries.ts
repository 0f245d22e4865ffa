import type { Scope, Tx } from '../../database/connect.ts'
import { bool, row, text, uuid } from '../../kit/row.ts'
import { whole } from '../../kit/scoped.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { lookOf } from './shape.ts'

/** The face of a worker of the caller's branches; of single sites, of one who is or was on them. */
const FACE = `EXISTS (
  SELECT 1 FROM workers k
  WHERE k.tenant_id = f.tenant_id AND k.w_face = f.key
    AND ($3::uuid[] IS NULL AND $4::uuid[] IS NULL OR k.bc_id = ANY ($3) OR EXISTS (
      SELECT 1 FROM site_members m
      WHERE m.tenant_id = k.tenant_id AND m.worker_id = k.id AND m.site_id = ANY ($4))))`

/** The document of such a worker. */
const DOCUMENT = `EXISTS (
  SELECT 1 FROM worker_documents d
  JOIN workers k ON k.tenant_id = $1 AND k.id = d.worker_id
  WHERE d.tenant_id = $1 AND d.picture = f.key
    AND ($5::uuid[] IS NULL AND $6::uuid[] IS NULL OR k.bc_id = ANY ($5) OR EXISTS (
      SELECT 1 FROM site_members m
      WHERE m.tenant_id = $1 AND m.worker_id = k.id AND m.site_id = ANY ($6))))`

/** The proof of the consent of such a worker, or of somebody of a home. */
const CONSENT = `(EXISTS (
  SELECT 1 FROM consents c
  JOIN home_contacts k ON k.tenant_id = $1 AND k.id = c.subject_id
  WHERE c.tenant_id = $1 AND c.proof = f.key AND c.subject_type = 'contact' AND $16::boolean
    AND ($17::uuid[] IS NULL AND $18::uuid[] IS NULL OR k.bc_id = ANY ($17) OR k.site_id = ANY ($18)))
  OR $19::boolean AND EXISTS (
  SELECT 1 FROM consents c
  JOIN workers k ON k.tenant_id = $1 AND k.id = c.subject_id
  WHERE c.tenant_id = $1 AND c.proof = f.key AND c.subject_type = 'worker'
    AND ($7::uuid[] IS NULL AND $8::uuid[] IS NULL OR k.bc_id = ANY ($7) OR EXISTS (
      SELECT 1 FROM site_members m
      WHERE m.tenant_id = $1 AND m.worker_id = k.id AND m.site_id = ANY ($8)))))`

/** A paper of a contract in reach: of a branch, or of a store. */
const CONTRACT = `EXISTS (
  SELECT 1 FROM contract_files x
  JOIN contracts c ON c.tenant_id = $1 AND c.id = x.contract_id
  WHERE x.tenant_id = $1 AND x.key = f.key
    AND ($9::boolean OR c.bc_id = ANY ($10::uuid[]) OR c.store_id = ANY ($11::uuid[])))`

/** A picture of goods whose order has a party in reach: who ordered, and who delivers. */
const GOODS = `EXISTS (
  SELECT 1 FROM orders o
  WHERE o.tenant_id = $1 AND o.id = f.order_id
    AND ($12::boolean OR o.bc_id = ANY ($13::uuid[]) OR o.site_id = ANY ($14::uuid[])
      OR o.receiver_id = ANY ($15::uuid[])))`

/** A file by its key, and whether it is a face, a document or a consent of the reaches. */
export async function fileOf(
  tx: Tx,
  tenant: string,
  key: string,
  {
    faces,
    documents,
    consents,
    contracts,
    goods,
    homes,
  }: Record<'faces' | 'documents' | 'consents' | 'homes' | 'contracts' | 'goods', Scope | undefined>,
) {
  const { rows } = await tx.query(
    'files.one',
    row({
      key: text,
      user_id: uuid.null,
      bc_id: uuid.null,
      site_id: uuid.null,
      link_id: uuid.null,
      kind: text,
      face: bool,
      document: bool,
      consent: bool,
      contract: bool,
      goods: bool,
    }),
    `SELECT f.key, f.user_id, f.bc_id, f.site_id, f.link_id, f.kind, ${FACE} AS face,
       f.kind = 'document' AND ${DOCUMENT} AS document,
       f.kind = 'consent' AND ${CONSENT} AS consent,
       f.kind = 'contract' AND ${CONTRACT} AS contract,
       f.kind = 'goods' AND ${GOODS} AS goods
     FROM files f
     WHERE f.tenant_id = $1 AND f.key = $2`,
    [
      tenant,
      key,
      faces?.bcs,
      faces?.sites,
      documents?.bcs,
      documents?.sites,
      consents?.bcs,
      consents?.sites,
      contracts !== undefined && whole(contracts),
      contracts?.bcs,
      contracts?.stores,
      goods !== undefined && whole(goods),
      goods?.bcs,
      goods?.sites,
      goods?.receivers,
      homes !== undefined,
      homes?.bcs,
      homes?.sites,
      consents !== undefined,
    ],
  )
  return rows[0]
}

/** An upload that is not tied to a record yet. */
export const addPicture = (
  tx: Tx,
  { id, tenant }: Pick<SessionUser, 'id' | 'tenant'>,
  f: {
    key: string
    bytes: number
    at: Date
    taken: Date | null
    digest: Buffer
    shape: Buffer | null
    kind?: 'pdf'
    /** An upload of somebody without an account. */
    link?: string
  },
) =>
  tx.run(
    'files.add',
    `INSERT INTO files (key, tenant_id, user_id, kind, bytes, at, taken_at, digest, shape, look, link_id)
     VALUES ($1, $2, $3, $9, $4, $5, $6, $7, $8, $11::bit(380), $10)`,
    [
      f.key,
      tenant,
      id || null,
      f.bytes,
      f.at,
      f.taken,
      f.digest,
      f.shape,
      f.kind ?? 'picture',
      f.link ?? null,
      f.shape && lookOf(f.shape),
    ],
  )
