import { contactRelation } from '@zhuguan/contract/features/owners/owners.record.ts'
import { threadChannel } from '@zhuguan/contract/features/threads/thread-page.record.ts'
import type { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'
import { threadKind } from '@zhuguan/contract/features/threads/threads.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import { listed, withoutNumbers } from '../../kit/paper-list.ts'
import { paperPdf } from '../../kit/paper.ts'
import { found, invalid } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiTime, startOfDay } from '../../kit/shanghai.ts'
import { headOf } from '../companies/companies.reads.ts'
import type { FileStore } from '../files/files.service.ts'
import { paperPictures } from '../files/paper-pictures.service.ts'
import { paperHome, paperLines } from './thread-paper.queries.ts'

type Lines = Awaited<ReturnType<typeof paperLines>>['lines']
const TIME = 92
const minute = (at: Date) => shanghaiTime(at).slice(0, 16)
const earliest = (...all: (Date | null)[]) => all.filter((d) => d !== null).sort((a, b) => +a - +b)[0] ?? null
const latest = (...all: (Date | null)[]) => all.filter((d) => d !== null).sort((a, b) => +b - +a)[0] ?? null

/** The words of one line, and its way where that was not on the page. */
function saidIn({ channel, isTaken, kind, pictures, words }: Lines[number]): string {
  if (isTaken) return '已撤回'
  return [
    kind === threadKind.code.words ? '' : `${threadKind.label(kind)}：`,
    channel === threadChannel.code.page ? '' : `（${threadChannel.label(channel)}）`,
    words,
    pictures.length > 0 ? `（照片 ${pictures.length} 张）` : '',
  ].join('')
}

/** A home's lines and ours as PDF: of one owner's time, no telephone whole; the log knows before it leaves. */
export async function printThread(
  call: Call,
  files: FileStore,
  { from, site_id, to }: QueryOf<(typeof threadsApi)['print']>,
): Promise<void> {
  if (from && to && from > to) throw invalid('to', '结束日期不能早于开始日期')
  const { id: me, nickname, scope, tenant, userName } = call.user
  const end = to ? startOfDay(addDays(to, 1)) : null
  const { head, home, lines, people, span } = await call.read(async (tx) => {
    const at = earliest(end && new Date(end.getTime() - 1), call.now())!
    const place = found(await paperHome(tx, scope, { site: site_id, to: at }))
    const time = { from: latest(place.from, from ? startOfDay(from) : null), to: earliest(place.to, end) }
    return {
      home: place,
      span: time,
      head: await headOf(tx, tenant, place.bc_id),
      ...(await paperLines(tx, tenant, { site: site_id, ...time })),
    }
  })
  const now = shanghaiTime(call.now())
  const shown = lines.flatMap((m) =>
    m.pictures.map((key) => ({ key, caption: withoutNumbers(`${m.who} ${minute(m.at)}`) })),
  )
  const pictures = await paperPictures(files, shown, `${nickname} ${userName}  ${now}`)
  const owner = people.find((p) => p.isOwner)
  const file = await paperPdf(me, {
    head,
    title: '业主互动记录',
    number: home.code,
    facts: [
      ['业主', [owner?.name, owner?.phone].filter(Boolean).join(' ')],
      ['工地', `${home.code} ${home.siteName}`],
      ['地址', home.address],
      ['项目管家', home.steward],
      [
        '期间',
        `${span.from ? minute(span.from) : '开工'} 起，至 ${span.to ? minute(span.to) : now.slice(0, 16)}`,
      ],
      [
        '联系人',
        people
          .filter((p) => !p.isOwner)
          .map((p) => `${p.name}（${contactRelation.label(p.relation)}）`)
          .join('、'),
      ],
    ],
    parts: [
      listed(
        '互动记录',
        [{ title: '时间', width: TIME }, { title: '谁', width: 90 }, { title: '内容' }],
        lines,
        (m) => [minute(m.at), m.who, saidIn(m)],
      ),
      ...(pictures.pictures.length > 0 ? [pictures] : []),
    ],
    foot: `${nickname} ${now} 打印`,
  })
  await call.write((tx) =>
    call.log(tx, {
      action: '打印业主互动',
      object: 'thread',
      objectId: home.id,
      after: { site_id: home.id, ...(from ? { from } : {}), ...(to ? { to } : {}) },
    }),
  )
  const name = encodeURIComponent(`互动记录-${home.code}`)
  await call.reply
    .header('content-type', 'application/pdf')
    .header('content-disposition', `attachment; filename*=UTF-8''${name}.pdf`)
    .send(file)
}
