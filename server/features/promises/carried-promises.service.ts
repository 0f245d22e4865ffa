import { type promiseSubject, promiseSource } from '@zhuguan/contract/features/promises/promises.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'

import type { Tx } from '../../database/connect.ts'
import type { Call } from '../../kit/serve.ts'
import { tell } from '../live/live.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { addEntry, namedIn, noticeOf } from './promises.ledger.ts'

interface Early {
  content: string
  subject: (typeof promiseSubject.values)[number]
  due: string
  post: (typeof principalPost.values)[number]
  author_id: string
  madeAt: Date
}
interface Home {
  id: string
  bc_id: string
  ws_name: string
  steward_id: string | null
  manager_id: string | null
}
/**
 * What somebody promised before there was a site is the home's from its signature on: its author, its moment and its
 * day stay, also a day that is over; who leads the site by its post answers for it.
 */
export async function carryPromise(tx: Tx, call: Call, site: Home, p: Early): Promise<string> {
  const { id: me, nickname, tenant } = call.user
  const id = call.newId()
  const responsible = p.post === principalPost.code.steward ? site.steward_id : site.manager_id
  await tx.run(
    'promises.carry',
    `INSERT INTO promises (tenant_id, id, bc_id, site_id, content, subject, source, author_id, post, responsible_id,
       first_due, due, made_at, changed_by, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, '${promiseSource.code.customer}', $7, $8, $9, $10::date, $10::date, $11, $12,
       :now)`,
    [
      tenant,
      id,
      site.bc_id,
      site.id,
      p.content,
      p.subject,
      p.author_id,
      p.post,
      responsible,
      p.due,
      p.madeAt,
      nickname,
    ],
  )
  await addEntry(tx, call, id, { act: 'promise', toDue: p.due, text: '签约前的承诺，随签约带到工地' })
  await call.log(tx, {
    action: '登记承诺',
    object: 'promise',
    objectId: id,
    after: {
      content: p.content,
      site_id: site.id,
      subject: p.subject,
      due: p.due,
      responsible_id: responsible,
    },
  })
  tell(tx, call, {
    topic: 'promise',
    bc: site.bc_id,
    site: site.id,
    id,
    line: { kind: 'promise', title: `签约前的承诺“${p.content}”，${p.due} 到期` },
  })
  const whose = responsible ? '由您负责' : '还没有人负责'
  await passTurn(tx, 'promise', 'promise', {
    ...noticeOf({ id, bc_id: site.bc_id, site_id: site.id }),
    tenant,
    actor: me,
    named: namedIn(responsible),
    title: `${site.ws_name} 签约前承诺了业主“${p.content}”，${p.due} 到期，${whose}`,
  })
  return id
}
