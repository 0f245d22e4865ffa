import {
  personData,
  personKind,
  type PersonPlanLine,
} from '@zhuguan/contract/features/persons/persons.record.ts'

import { withoutNumbersBut } from '../../kit/paper-list.ts'
import { type Paper, paperPdf } from '../../kit/paper.ts'
import { found } from '../../kit/refuse.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import { headOf } from '../companies/companies.reads.ts'
import { paperPictures } from '../files/paper-pictures.service.ts'
import type { Person, Told } from './erasing-work.ts'
import { requestOf } from './persons.queries.ts'
import { finishCollect, mayCollect, type PersonsDeps } from './persons.service.ts'

/** Kind by kind what we keep of this person, and of nobody else a name or a number. */
function partsOf(
  { lines, others }: Told,
  { names }: Person,
  plan: readonly PersonPlanLine[],
): Paper['parts'] {
  const masked = withoutNumbersBut(names.map((n) => n.phone))
  const clean = (text: string): string =>
    masked(others.reduce((said, name) => said.replaceAll(name, '■■'), text))
  const of = (data: (typeof lines)[number]['data']) => lines.filter((line) => line.data === data)
  const told = personData.values.filter((data) => of(data).length > 0)
  const kept = (data: (typeof told)[number]) => plan.some((line) => line.data === data && line.rows > 0)
  const besides = personData.values.filter((data) => !told.includes(data) && (kept(data) || data === 'log'))
  const none = personData.values.filter((data) => !told.includes(data) && !besides.includes(data))
  return [
    ...told.map((data) => ({
      kind: 'table' as const,
      title: `${personData.label(data)}（${of(data).length} 条）`,
      columns: [{ title: '内容' }],
      rows: of(data).map((line) => [clean(line.text)]),
    })),
    {
      kind: 'words',
      title: '另外还保存，不逐条列出',
      text: besides.map(personData.label).join('、') || '没有',
    },
    { kind: 'words', title: '没有保存的', text: none.map(personData.label).join('、') || '无' },
  ]
}

type Reader = Pick<Call, 'log' | 'newId' | 'now' | 'read' | 'user'>
/** Everything that we keep of one person as a PDF for them; `group` reads what is elsewhere. */
export async function collectedPaper(
  { group, own }: { own: Reader; group: Reader },
  deps: PersonsDeps,
  id: string,
): Promise<{ no: string; file: Buffer }> {
  const { id: me, nickname, scope, tenant, userName } = own.user
  const { head, r } = await own.read(async (tx) => {
    const request = found(await requestOf(tx, scope, id))
    mayCollect(own, request)
    return { r: request, head: await headOf(tx, tenant, request.bc_id) }
  })
  const { person, plan, told } = await group.read(async (tx) => {
    const behind = await deps.erasing.find(tx, tenant, { kind: r.kind, id: r.subject_id })
    return {
      person: behind,
      plan: await deps.erasing.plan(tx, tenant, behind),
      told: await deps.erasing.collect(tx, tenant, behind),
    }
  })
  const now = shanghaiTime(own.now())
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
    parts: [...partsOf(told, person, plan), ...(named.length ? [pictures] : [])],
    foot: `${nickname} ${now} 导出；其他人的姓名和电话已遮盖`,
  })
  return { no: r.no, file }
}

/** The same as an answer; the log says who took it out of the house. */
export async function collectPerson(call: Call, deps: PersonsDeps, id: string): Promise<void> {
  const group = call.within(wholeGroup(call.user.tenant))
  const { file, no } = await collectedPaper({ own: call, group }, deps, id)
  await call.write((tx) => finishCollect(tx, call, id))
  await call.reply
    .header('content-type', 'application/pdf')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(`个人信息-${no}`)}.pdf`)
    .send(file)
}
