import { personData, personKind } from '@zhuguan/contract/features/persons/persons.record.ts'

import { listed } from '../../kit/paper-list.ts'
import { type Paper, paperPdf } from '../../kit/paper.ts'
import { found } from '../../kit/refuse.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import { headOf } from '../companies/companies.reads.ts'
import { paperPictures } from '../files/paper-pictures.service.ts'
import type { Told } from './erasing.ts'
import { requestOf } from './persons.queries.ts'
import { finishCollect, mayCollect, type PersonsDeps } from './persons.service.ts'

/** Kind by kind what we keep of this person. */
const partsOf = ({ lines }: Told): Paper['parts'] =>
  personData.values.map((data) => {
    const own = lines.filter((line) => line.data === data)
    return listed(
      personData.label(data),
      [{ title: '内容' }],
      own.map((line) => ({ ...line, n: own.length })),
      (line) => [line.text],
    )
  })

/** Everything that we keep of one person as a PDF for them; the log says who took it out of the house. */
export async function collectPerson(call: Call, deps: PersonsDeps, id: string): Promise<void> {
  const { id: me, nickname, scope, tenant, userName } = call.user
  const { head, r } = await call.read(async (tx) => {
    const request = found(await requestOf(tx, scope, id))
    mayCollect(call, request)
    return { r: request, head: await headOf(tx, tenant, request.bc_id) }
  })
  const told = await call.within(wholeGroup(tenant)).read(async (tx) => {
    const person = await deps.erasing.find(tx, tenant, { kind: r.kind, id: r.subject_id })
    return deps.erasing.collect(tx, tenant, person)
  })
  const now = shanghaiTime(call.now())
  const named = told.pictures.map((key) => ({ key, caption: '' }))
  const pictures = await paperPictures(deps.files, named, `${nickname} ${userName}  ${now}`)
  const file = await paperPdf(me, {
    head,
    title: '个人信息汇总',
    number: r.no,
    facts: [
      ['本人', r.name],
      ['什么人', personKind.label(r.kind)],
      ['截至', now],
    ],
    parts: [...partsOf(told), pictures],
    foot: `${nickname} ${now} 导出；其他人的电话已遮盖`,
  })
  await call.write((tx) => finishCollect(tx, call, r.id))
  await call.reply
    .header('content-type', 'application/pdf')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(`个人信息-${r.no}`)}.pdf`)
    .send(file)
}
