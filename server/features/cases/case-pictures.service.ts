import { isDeepStrictEqual } from 'node:util'

import type { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { caseState, casePictureState, isCaseOver } from '@zhuguan/contract/features/cases/cases.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import { row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { addRendition, dropFiles, type FileStore } from '../files/files.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { backToRaw } from './back-to-raw.ts'
import { burn, turned } from './burn.ts'
import { type Act, addLine, noticeOf, tellCase } from './cases.ledger.ts'
import { lockCase, type LockedCase } from './cases.queries.ts'
import { done } from './cases.service.ts'
import { LIVING } from './living.ts'
import { pictureIn, waitingIn } from './pictures.queries.ts'
import { addZones, unmaskOpen } from './zones.queries.ts'

type Api = typeof casesApi
const { masked, pulled, released } = casePictureState.code

/** A picture as whoever acts has seen it; its case is held first. */
async function open(tx: Tx, call: Call, seen: { id: string; version: number }) {
  const { scope } = call.user
  const of = found(await pictureIn(tx, scope, seen.id))
  const k = found(await lockCase(tx, scope, { id: of.case_id }))
  const p = found(await pictureIn(tx, scope, seen.id))
  unlessSeen(p, seen.version, '张照片')
  if (isCaseOver(k.state)) throw new Refused(`案例“${k.title}”${caseState.label(k.state)}，照片不能再处理`)
  return { k, p }
}
async function changed(tx: Tx, call: Call, k: LockedCase, said: { act: Act; label: string; text: string }) {
  await tx.run(
    'cases.touch',
    'UPDATE cases SET changed_at = :now, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, k.id],
  )
  await addLine(tx, call, k.id, said.act, said.text)
  await call.log(tx, {
    action: said.label,
    object: 'case',
    objectId: k.id,
    after: { title: k.title, site_id: k.site_id, msg: said.text },
  })
  tellCase(tx, call, k)
}

/**
 * Masks are burnt into a file of its own with a key of its own. Whatever was released of this picture before is not
 * released any more: it is another picture, that another person and the people of the home have not seen.
 */
export async function maskPicture(call: Call, files: FileStore, body: BodyOf<Api['mask']>): Promise<void> {
  const { crop, masks, turn } = body
  const seen = found(await call.read((tx) => pictureIn(tx, call.user.scope, body.id)))
  unlessSeen(seen, body.version, '张照片')
  // What its camera never shows is covered, whether whoever masks has seen it or not.
  const fixed = seen.fixed.map((m) => turned(m, turn))
  if (masks.length + fixed.length === 0 && !body.clear)
    throw invalid('masks', '请框出人脸、门牌、车牌、屏幕和纸张；确实没有的，请勾选“没有要打码的”')
  const bytes = await burn(await files.read(seen.source), { turn, masks: [...masks, ...fixed], crop })
  const key = await files.put(bytes, 'jpg')
  const written = call.write(async (tx) => {
    const { id, nickname, tenant } = call.user
    const { k, p } = await open(tx, call, body)
    refuse(p.state === pulled ? '这张照片已经撤下' : undefined)
    refuse(isDeepStrictEqual(p.fixed, seen.fixed) ? undefined : '这个机位的固定遮挡刚刚变了，请再打码一次')
    await addRendition(tx, tenant, { key, bytes: bytes.length, at: call.now() })
    await tx.run(
      'cases.mask',
      `UPDATE case_pictures
       SET state = '${masked}', turn = $3, masks = $4, masked_picture = $5, masked_id = $6, masked_by = $7,
         masked_at = :now, released_by = '', released_at = NULL, crop = $8, fixed = $9, version = version + 1
       WHERE tenant_id = $1 AND id = $2`,
      [
        tenant,
        p.id,
        turn,
        JSON.stringify(masks),
        key,
        id,
        nickname,
        crop && JSON.stringify(crop),
        JSON.stringify(fixed),
      ],
    )
    if (p.rendition) await dropFiles(tx, files, tenant, [p.rendition])
    const parts = [
      masks.length && `${masks.length} 处`,
      fixed.length && `机位固定 ${fixed.length} 处`,
      crop && '裁剪',
    ]
    const text = parts.filter(Boolean).join('，') || '没有要打码的'
    await changed(tx, call, k, { act: 'mask', label: '案例照片打码', text })
    const left = await waitingIn(tx, tenant, k.id)
    if (left.raw === 0)
      await passTurn(tx, 'case', 'mask', {
        ...noticeOf(k),
        tenant,
        actor: id,
        title: `案例“${k.title}”有 ${left.masked} 张照片打好了码，请另一个人看过后放行`,
      })
  })
  await written.catch((error: unknown) => files.unnamed(key, error))
}

/** Rectangles that every picture of this camera has from now on, as long as it looks the same way. */
export async function fixZones(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: BodyOf<Api['zones']>,
): Promise<void> {
  const { k, p } = await open(tx, call, body)
  refuse(p.camera ? undefined : '这张照片不是摄像头拍的，没有机位')
  refuse(p.timed ? undefined : '这张照片没有拍摄时间，认不出机位的朝向，请换一张')
  await addZones(tx, call, p.id, body.masks)
  // What is public by now shows what is fixed: it is masked and looked at anew.
  const again = await unmaskOpen(tx, call.user.tenant, p.id)
  if (again.length) await dropFiles(tx, files, call.user.tenant, again)
  const zones = body.masks.length ? `${body.masks.length} 处` : '不再固定'
  const text = `${p.camera}，${zones}${again.length ? `，${again.length} 张照片要重新打码` : ''}`
  await changed(tx, call, k, { act: 'zones', label: '设定机位固定遮挡', text })
}

/** Seen by another pair of eyes than those that masked it. */
export async function releasePicture(tx: Tx, call: Call, body: BodyOf<Api['release']>): Promise<void> {
  const { id, nickname, tenant } = call.user
  const { k, p } = await open(tx, call, body)
  refuse(p.state === masked ? undefined : `这张照片${casePictureState.label(p.state)}，不能放行`)
  refuse(p.masked_id === id ? '打码的人不能放行自己打的码，请另一个人看一遍' : undefined)
  await tx.run(
    'cases.release',
    `UPDATE case_pictures
     SET state = '${released}', released_by = $3, released_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, p.id, nickname],
  )
  await changed(tx, call, k, { act: 'release', label: '放行案例照片', text: `${p.maskedBy}打码` })
  const left = await waitingIn(tx, tenant, k.id)
  if (left.masked === 0) await done(tx, call, k, 'release')
}

/** It is shown nowhere any more, and the file that was made of it is gone. */
export async function pullPicture(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: BodyOf<Api['pull']>,
): Promise<void> {
  const { tenant } = call.user
  const { k, p } = await open(tx, call, body)
  refuse(p.state === pulled ? '这张照片已经撤下' : undefined)
  await tx.run(
    'cases.pull',
    `UPDATE case_pictures
     SET state = '${pulled}', masked_picture = NULL, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, p.id],
  )
  if (p.rendition) await dropFiles(tx, files, tenant, [p.rendition])
  await changed(tx, call, k, { act: 'pull', label: '撤下案例照片', text: body.reason })
}

const PIECE = 500
/** Files of cases that are over are needed by nobody: renditions go, the records of who agreed to what stay. */
export async function forgetRenditions(tx: Tx, files: FileStore, tenant: string): Promise<number> {
  const { rows } = await tx.query(
    'cases.forget',
    row({ made: text }),
    backToRaw(`JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
       WHERE p.tenant_id = $1 AND p.masked_picture IS NOT NULL AND NOT ${LIVING}
       LIMIT ${PIECE}`),
    [tenant],
  )
  const keys = rows.map((r) => r.made)
  if (keys.length) await dropFiles(tx, files, tenant, keys)
  return keys.length
}
