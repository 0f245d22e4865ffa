import { consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import { noticeGiven } from '@zhuguan/contract/features/consents/notices.record.ts'
import type { facesApi } from '@zhuguan/contract/features/workers/faces.api.ts'
import type { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { workerStatus } from '@zhuguan/contract/features/workers/workers.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { refuse } from '../../kit/refuse.ts'
import type { Call, Caller } from '../../kit/serve.ts'
import { type Asked, isGiven } from '../consents/consents.reads.ts'
import { recordAnswer, withdrawConsent } from '../consents/consents.service.ts'
import { claimPicture, dropFile, type FileStore } from '../files/files.service.ts'
import { askRemovals, endRemovals } from './face-removals.service.ts'
import { lockSeen, tellBranch } from './seen-worker.ts'
import type { LockedWorker } from './workers.queries.ts'

const { active } = workerStatus.code

/** A worker is asked about their face. */
export const faceAsked = (worker: string): Asked => ({
  kind: 'face',
  subject_type: 'worker',
  subject_id: worker,
})

/** The new face of a worker, or none; the picture of the one before is destroyed. */
async function putFace(tx: Tx, call: Caller, files: FileStore, worker: LockedWorker, key: string | null) {
  await tx.run(
    'workers.face',
    `UPDATE workers
     SET w_face = $3, consent_how = NULL, consent_at = NULL, consent_by = NULL, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, worker.id, key],
  )
  if (worker.w_face) await dropFile(tx, call, files, worker.w_face)
}

export async function answerFace(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: BodyOf<(typeof facesApi)['answer']>,
): Promise<void> {
  const worker = await lockSeen(tx, call, body.id, body.version)
  const { given } = consentState.code
  if (worker.status !== active) refuse(`${worker.w_name} 已停用，不再征询`)
  if (await isGiven(tx, call.user.tenant, faceAsked(worker.id)))
    refuse(`${worker.w_name} 已经同意采集人脸；本人改变主意请用“撤回同意”`)
  const wording = noticeGiven('face', body.told)
  await recordAnswer(tx, call, faceAsked(worker.id), { ...body, wording })
  // A face from before consents were kept stays with a yes and goes with a no.
  if (body.answer === given) {
    await endRemovals(tx, call, worker.id)
    await tx.run(
      'workers.agreed',
      'UPDATE workers SET version = version + 1 WHERE tenant_id = $1 AND id = $2',
      [call.user.tenant, worker.id],
    )
  } else {
    await askRemovals(tx, call, worker, 'withdrawn', worker.w_face !== null)
    await putFace(tx, call, files, worker, null)
  }
  const { answer, how, answeredOn, scope } = body
  await call.log(tx, {
    action: answer === given ? '登记人脸同意' : '登记不同意采集人脸',
    object: 'worker',
    objectId: worker.id,
    after: { answer, how, answeredOn, scope, proof: body.proof ? '有' : '无', notice: wording },
  })
  tellBranch(tx, call, worker.bc_id)
}

/** Taken back: consent and face end together. */
export async function withdrawFace(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: BodyOf<(typeof facesApi)['withdraw']>,
): Promise<void> {
  const worker = await lockSeen(tx, call, body.id, body.version)
  if (!(await endFace(tx, call, files, worker, body.reason))) refuse(`${worker.w_name} 没有可以撤回的同意`)
  await call.log(tx, {
    action: '撤回人脸同意',
    object: 'worker',
    objectId: worker.id,
    before: { answer: consentState.code.given },
    after: { answer: consentState.code.withdrawn, reason: body.reason },
  })
  tellBranch(tx, call, worker.bc_id)
}

/** Consent and face of somebody end; answers whether there was a consent. */
export async function endFace(
  tx: Tx,
  call: Caller,
  files: FileStore,
  worker: LockedWorker,
  why: string,
  gone: 'stopped' | 'withdrawn' = 'withdrawn',
): Promise<boolean> {
  const was = await withdrawConsent(tx, call, faceAsked(worker.id), why)
  await askRemovals(tx, call, worker, gone, was || worker.w_face !== null)
  await putFace(tx, call, files, worker, null)
  return was
}

export async function keepFace(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: BodyOf<(typeof workersApi)['face']>,
): Promise<void> {
  const worker = await lockSeen(tx, call, body.id, body.version)
  if (worker.status !== active) refuse(`${worker.w_name} 已停用，不能采集人脸`)
  await claimPicture(tx, call, body.key, 'face')
  if (!(await isGiven(tx, call.user.tenant, faceAsked(worker.id))))
    refuse(`${worker.w_name} 没有同意采集人脸，请先登记本人的同意；不同意的用补卡或管家代打`)
  await putFace(tx, call, files, worker, body.key)
  await call.log(tx, {
    action: worker.w_face ? '更换人脸' : '录入人脸',
    object: 'worker',
    objectId: body.id,
    after: {},
  })
  tellBranch(tx, call, worker.bc_id)
}

type Answered = Omit<BodyOf<(typeof facesApi)['answer']>, 'answer' | 'id' | 'version'>
/** A picture from elsewhere becomes the face, a consent that comes with it is written down first. Answers whose. */
export async function takeFace(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: { id: string; version: number; replace: boolean },
  consent: Answered | null,
  picture: () => Promise<string>,
): Promise<string> {
  const worker = await lockSeen(tx, call, body.id, body.version)
  if (worker.w_face && !body.replace) refuse(`${worker.w_name} 已经有人脸，要更换请先确认`)
  const { given } = consentState.code
  const { id, version } = body
  if (consent) await answerFace(tx, call, files, { ...consent, id, version, answer: given })
  await keepFace(tx, call, files, { id, version: consent ? version + 1 : version, key: await picture() })
  return worker.w_name
}

/** The picture goes, the consent stays: another may be taken. */
export async function forgetFace(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: BodyOf<(typeof workersApi)['forgetFace']>,
): Promise<void> {
  const worker = await lockSeen(tx, call, body.id, body.version)
  if (!worker.w_face) refuse(`${worker.w_name} 没有采集人脸`)
  await putFace(tx, call, files, worker, null)
  await call.log(tx, {
    action: '删除人脸',
    object: 'worker',
    objectId: body.id,
    after: { reason: body.reason },
  })
  tellBranch(tx, call, worker.bc_id)
}
