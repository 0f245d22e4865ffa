import { createHash } from 'node:crypto'

import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import { allowance } from '../../kit/bound.ts'
import { reachOf } from '../../kit/reach.ts'
import { found, invalid, outside } from '../../kit/refuse.ts'
import { hasBranch, hasPlace } from '../../kit/scoped.ts'
import { type Bytes, inMemory, sendRange } from '../../kit/send-range.ts'
import { type Call, type Feature, serve, type SessionUser } from '../../kit/serve.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import { settingOf } from '../settings/settings.reads.ts'
import { type FileStore, isPdf, isPicture, smaller } from './file-store.ts'
import { addPicture, fileOf } from './files.queries.ts'
import { keepPicture } from './files.service.ts'
import { watermarked } from './watermark.service.ts'

const TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
}

/** The pages that show pictures of sites: without one of them nobody has a use for a picture's key. */
const SHOWN_ON: readonly PageName[] = [
  'AlarmEvent',
  'Tidiness',
  'SiteInfo',
  'SiteList',
  'SiteMap',
  'WorkerAttend',
  'WorkerInfo',
  'DailyMonitor',
  'DeviceList',
]
/** The pages that show what the people of a home sent. */
const HOMES_ON: readonly PageName[] = [
  'OwnerInfo',
  'OwnerInteract',
  'OwnerFeedback',
  'OwnerPromise',
  'OwnerVisit',
  'FeedbackList',
  'PromiseList',
]
/** The pages that show pictures of goods. */
const GOODS_ON: readonly PageName[] = ['DispatchList', 'AcceptanceList', 'ChangeGoods']
const AN_HOUR = 300
const HOUR_MS = 3_600_000

/** Whoever looks at one of these leaves their name on what they see. */
const PAPERS: readonly string[] = ['document', 'consent', 'identity']

const reachesOf = (user: SessionUser) => ({
  pictures: reachOf(user, ...SHOWN_ON.map(pageLabel)),
  sent: reachOf(user, ...HOMES_ON.map(pageLabel)),
  faces: reachOf(user, pageLabel('WorkerList')),
  documents: reachOf(user, 'worker:document'),
  consents: reachOf(user, 'worker:face'),
  /** The paper of a consent of somebody of a home. */
  homes: reachOf(user, 'owner:video'),
  products: reachOf(user, pageLabel('ProductList')),
  contracts: reachOf(user, pageLabel('ContractList')),
  /** By what somebody proved who they are. */
  identities: reachOf(user, 'person:verify', 'person:execute'),
  goods: reachOf(user, ...GOODS_ON.map(pageLabel)),
})
type FileRow = NonNullable<Awaited<ReturnType<typeof fileOf>>>
/** By what somebody proved who they are: of the branch that looks at it. */
const isProofSeen = (file: FileRow, { identities }: ReturnType<typeof reachesOf>): boolean =>
  file.kind === 'identity' && !!identities && hasBranch(identities, file.bc_id)
/**
 * A picture is seen by who sees its site, one that the people of the home sent by who reads their words, a face and papers by who sees them of the worker, a product's by who sees what
 * is sold there, goods by both parties of their order; what is not tied to a record yet, by who uploaded it.
 */
const isVisible = (file: FileRow, me: string, reaches: ReturnType<typeof reachesOf>): boolean =>
  file.user_id === me ||
  (file.face && !!reaches.faces) ||
  (file.document && !!reaches.documents) ||
  file.consent ||
  (file.contract && !!reaches.contracts) ||
  (file.goods && !!reaches.goods) ||
  isProofSeen(file, reaches) ||
  (file.kind === 'product' &&
    !!reaches.products &&
    (file.bc_id === null ||
      hasBranch(reaches.products, file.bc_id) ||
      reaches.products.stores !== undefined)) ||
  isOfHome(file, reaches)
/** A picture of a site. */
function isOfHome(file: FileRow, { pictures, sent }: ReturnType<typeof reachesOf>): boolean {
  const reach = file.link_id === null ? pictures : sent
  return file.site_id !== null && !!reach && hasPlace(reach, file.bc_id, file.site_id)
}

export function filesFeature(store: FileStore): Feature {
  const uploads = allowance(AN_HOUR, HOUR_MS, `您一小时内上传的照片太多（最多 ${AN_HOUR} 张），请稍后再试`)
  async function keep(call: Call, papers: boolean): Promise<{ key: string }> {
    const body = call.request.body
    if (!Buffer.isBuffer(body) || body.length === 0)
      throw invalid('file', papers ? '请选择一个文件' : '请选择一张照片')
    uploads.spend(call.user.id, call.now())
    if (papers && !isPdf(body) && !isPicture(body))
      throw invalid('file', '这不是 PDF，也不是图片，请上传 PDF、JPG、PNG 或 WebP')
    if (!papers || !isPdf(body)) return keepPicture(call, store, body)
    const key = await store.put(body, 'pdf')
    const named = call.write(async (tx) => {
      const digest = createHash('sha256').update(body).digest()
      const file = { key, bytes: body.length, at: call.now(), taken: null, digest, shape: null }
      await addPicture(tx, call.user, { ...file, kind: 'pdf' })
      await call.log(tx, { action: '上传文件', object: 'file', objectId: key })
    })
    await named.catch((error: unknown) => store.unnamed(key, error))
    return { key }
  }
  return serve(filesApi, {
    async get({ query }, call) {
      const reaches = reachesOf(call.user)
      const file = found(await call.read((tx) => fileOf(tx, call.user.tenant, query.key, reaches)))
      if (!isVisible(file, call.user.id, reaches)) throw outside()
      const ext = query.key.split('.').pop()!
      const small = query.size !== 'full' && file.kind === 'picture' ? query.size : undefined
      const marked =
        PAPERS.includes(file.kind) ||
        (small !== 'thumb' &&
          file.kind === 'picture' &&
          (await call.read((tx) => settingOf<boolean>(tx, call.user.tenant, file.bc_id, 'watermark'))))
      const words = `${call.user.nickname} ${call.user.userName}  ${shanghaiTime(call.now())}`
      /** A small one is made, a marked one is changed; any other goes out as it lies there. */
      async function bytesOf(): Promise<Bytes> {
        const own = small ? await smaller(store, query.key, small) : undefined
        if (marked) return inMemory(await watermarked(own ?? (await store.read(query.key)), words))
        if (own) return inMemory(own)
        return store.open(query.key)
      }
      const bytes = await bytesOf()
      let contentType = TYPES[ext] ?? 'application/octet-stream'
      if (marked) contentType = 'image/jpeg'
      else if (small) contentType = 'image/webp'
      // Not awaited: a reply is a promise of its own end.
      call.reply
        .header('content-type', contentType)
        // Kept for who looked, while their session lasts: the next person at the machine asks anew.
        .header('vary', 'cookie, token, tenant-id')
        // Words with a name and a time belong to this look at it, and a face may be taken back.
        .header('cache-control', marked || file.kind === 'face' ? 'no-store' : 'private, max-age=3600')
        .header('cross-origin-resource-policy', 'same-origin')
        .header('accept-ranges', 'bytes')
      if (ext === 'pdf') call.reply.header('content-disposition', 'attachment')
      sendRange(call, bytes)
    },
    upload: (_input, call) => keep(call, false),
    paper: (_input, call) => keep(call, true),
  })
}
