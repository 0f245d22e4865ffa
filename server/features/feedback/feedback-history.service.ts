import { correctionStatus, correctionStep } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { feedbackAct, feedbackStatus } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Tx } from '../../database/connect.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { bool, row, type RowOf, text, uuid } from '../../kit/row.ts'
import { tellFound } from '../corrections/opening.service.ts'
import { nextNumberToday } from '../numbers/numbers.service.ts'
import { holdersOf } from '../users/role-holders.reads.ts'
import { HANDLE } from './feedback-telling.ts'

const HOUR_MS = 3_600_000
const { cancelled, closed, handling, open } = feedbackStatus.code
type Act = (typeof feedbackAct.values)[number]
/** Acts of so many hours ago, with who of the home did them and what was said. */
type Line = readonly [
  hours: number,
  by: 'owner' | 'steward' | 'manager' | 'service' | 'gm' | 'system',
  act: Act,
  words: string,
]
interface Told {
  /** The home, counted in the branch; two of one home repeat each other. */
  at: number
  kind: string
  level: number
  about?: string
  channel: string
  words: string
  lines: readonly Line[]
  /** The state now, beside what the lines say. */
  now?: object
  isAboutSteward?: true
  /** The state of the one before. */
  isRepeated?: true
  child?: string
  rung?: number
}

/** Every state and level, as a branch would have them on some afternoon. */
const STORY: readonly Told[] = [
  {
    at: 0,
    kind: 'complaint',
    level: 1,
    channel: 'phone',
    words: '卫生间墙砖有三块空鼓，敲着声音不对，希望尽快来看。',
    lines: [[3, 'service', 'enter', '电话']],
  },
  {
    at: 0,
    kind: 'complaint',
    level: 1,
    channel: 'wechat',
    words: '墙砖空鼓的事情怎么还没有人联系我？',
    lines: [
      [2, 'steward', 'enter', '微信'],
      [1, 'service', 'cancel', '重复：同一件事，业主又在微信里说了一遍'],
    ],
    isRepeated: true,
    now: { status: cancelled, cancelled: 'repeated' },
  },
  {
    at: 1,
    kind: 'complaint',
    level: 2,
    channel: 'phone',
    words: '橱柜门板颜色和样板间不一样，装好才发现。',
    about: 'goods',
    lines: [
      [20, 'service', 'enter', '电话'],
      [19, 'steward', 'accept', '重要，交给管家'],
      [18, 'steward', 'answer', '已经联系厂家核对色号，明天给您答复'],
      [17, 'steward', 'correct', '更换主卧衣柜和橱柜门板'],
    ],
    child: '更换主卧衣柜和橱柜门板',
    now: { status: handling },
  },
  {
    at: 2,
    kind: 'complaint',
    level: 3,
    channel: 'phone',
    words: '厨房水管漏水，楼下邻居找上来了！',
    lines: [
      [6, 'service', 'enter', '电话'],
      [5.8, 'service', 'accept', '紧急，交给管家'],
      [4.9, 'system', 'escalate', '超期，升级到客服'],
      [0.9, 'system', 'escalate', '超期，升级到分公司总经理'],
    ],
    rung: 2,
    now: { status: handling },
  },
  {
    at: 3,
    kind: 'repair',
    level: 1,
    channel: 'wechat',
    words: '次卧的门锁关不上。',
    about: 'goods',
    lines: [
      [50, 'steward', 'enter', '微信'],
      [49, 'steward', 'accept', '一般，交给管家'],
      [48, 'steward', 'answer', '锁体有问题，厂家补发'],
      [47, 'steward', 'pause', '等第三方：厂家补发锁体'],
    ],
    now: { status: handling, pause_for: 'third', pause_text: '厂家补发锁体' },
  },
  {
    at: 4,
    kind: 'suggestion',
    level: 1,
    channel: 'store',
    words: '希望每周能发一次进度照片。',
    lines: [[26, 'service', 'enter', '到店']],
  },
  {
    at: 5,
    kind: 'praise',
    level: 1,
    channel: 'scene',
    words: '水电师傅很细心，走线横平竖直，收工还把地扫干净。',
    lines: [
      [90, 'steward', 'enter', '现场'],
      [88, 'steward', 'thank', '谢谢您，已经转告师傅和项目经理'],
    ],
    now: { status: closed, result: '谢谢您，已经转告师傅和项目经理' },
  },
  {
    at: 6,
    kind: 'complaint',
    level: 2,
    channel: 'phone',
    words: '阳台地漏返味，上次修过又犯了。',
    lines: [
      [150, 'service', 'enter', '电话'],
      [149, 'steward', 'accept', '一般，交给管家'],
      [148, 'steward', 'answer', '今天下午上门'],
      [120, 'service', 'close', '施工：换了防臭芯'],
      [60, 'service', 'reopen', '业主说又返味'],
      [59, 'steward', 'answer', '重做存水弯'],
      [30, 'service', 'close', '施工：重做了存水弯，业主在场试过'],
      [28, 'service', 'score', '4 分：这次处理得彻底'],
    ],
    now: { status: closed, round: 2, cause: 'works', result: '重做了存水弯，业主在场试过', score: 4 },
  },
  {
    at: 7,
    kind: 'complaint',
    level: 2,
    channel: 'phone',
    about: 'person',
    words: '管家三天不回消息，打电话也不接。',
    lines: [[5, 'service', 'enter', '电话']],
    isAboutSteward: true,
  },
  {
    at: 8,
    kind: 'complaint',
    level: 1,
    channel: 'store',
    words: '说好的周末保洁没有来。',
    lines: [
      [80, 'service', 'enter', '到店'],
      [79, 'steward', 'accept', '一般，交给管家'],
      [78, 'steward', 'answer', '排到周二上午'],
      [40, 'steward', 'close', '服务：周二上午补做'],
      [39, 'service', 'score', '2 分：来得太晚'],
    ],
    now: { status: closed, cause: 'service', result: '周二上午补做', score: 2 },
  },
  {
    at: 9,
    kind: 'complaint',
    level: 2,
    channel: 'phone',
    words: '定制衣柜的拉手送错了款式，要求换成当初选的那一款。',
    about: 'goods',
    lines: [
      [12, 'service', 'enter', '电话'],
      [11.5, 'steward', 'accept', '重要，交给管家'],
      [11, 'steward', 'answer', '已找到当初的选样单，等您到店确认拉手'],
      [10, 'steward', 'pause', '等业主：业主出差，回来到店确认拉手'],
    ],
    now: { status: handling, pause_for: 'owner', pause_text: '业主出差，回来到店确认拉手' },
  },
  {
    at: 5,
    kind: 'complaint',
    level: 2,
    channel: 'wechat',
    words: '客厅吊顶接缝处有一条裂纹。',
    lines: [
      [120, 'steward', 'enter', '微信'],
      [119, 'steward', 'accept', '一般，交给管家'],
      [118, 'steward', 'answer', '后天上午补缝'],
      [90, 'steward', 'close', '施工：已补缝批平'],
      [5, 'service', 'reopen', '业主说同一处又裂开了'],
      [4, 'steward', 'answer', '请木工明天上午重做接缝'],
    ],
    now: { status: handling, round: 2, closed_at: null },
  },
  {
    at: 4,
    kind: 'complaint',
    level: 1,
    channel: 'link',
    words: '楼道里堆的水泥袋挡住了邻居的门。',
    lines: [
      [71, 'owner', 'enter', '业主链接'],
      [70, 'steward', 'accept', '一般，交给管家'],
      [69.5, 'steward', 'answer', '工人已经在搬，半小时内清走'],
      [68, 'steward', 'close', '施工：已清走，楼道已扫干净'],
      [60, 'owner', 'score', '5 分'],
    ],
    now: { status: closed, cause: 'works', result: '已清走，楼道已扫干净', score: 5, scored_by: '' },
  },
]

const home = row({
  id: uuid,
  bc_id: uuid,
  steward_id: uuid,
  manager_id: uuid,
  steward: text,
  manager: text,
  owner: text,
  told: bool,
})
type Home = RowOf<typeof home>
/** Homes of every branch that somebody keeps, in the order of their codes. */
async function homesOf(tx: Tx, tenant: string): Promise<Home[]> {
  const { rows } = await tx.query(
    'demo.homes',
    home,
    `SELECT w.id, w.bc_id, w.steward_id, w.manager_id, s.nickname AS steward, m.nickname AS manager,
       coalesce((SELECT o.name FROM owners o WHERE o.tenant_id = $1 AND o.id = w.owner_id), '') AS owner,
       EXISTS (SELECT FROM feedback f WHERE f.tenant_id = $1 AND f.words = $2) AS told
     FROM sites w
     JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
     JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id
     WHERE w.tenant_id = $1 AND w.status = ${siteStatus.code.building} AND w.deleted_at IS NULL
     ORDER BY w.code`,
    [tenant, STORY[0]!.words],
  )
  return rows
}

/** A level's hours to answer and to close. */
const HOURS: Readonly<Record<number, readonly [answer: number, close: number]>> = {
  1: [8, 72],
  2: [4, 24],
  3: [1, 8],
}

type Names = Readonly<Record<Line[1], string>>
/** A moment so many hours before now; of nothing, nothing. */
type Ago = (hours: number) => Date
const lastOf = (t: Told, act: Act): number | undefined => t.lines.findLast(([, , a]) => a === act)?.[0]
const then = (ago: Ago, hours: number | undefined): Date | null => (hours === undefined ? null : ago(hours))

/** Both clocks, and where three quarters of them have run, as a level and a round have them. */
function clocksOf(t: Told, ago: Ago) {
  const [answer, close] = HOURS[t.level]!
  const begun = lastOf(t, 'reopen') ?? t.lines[0]![0]
  const runs = lastOf(t, 'reopen') ?? lastOf(t, 'accept')
  const paused = lastOf(t, 'pause')
  return {
    answer_warn_at: ago(begun - answer * 0.75),
    answer_due_at: ago(begun - answer),
    answered_at: then(ago, lastOf(t, 'answer') ?? lastOf(t, 'thank')),
    answers: t.lines.filter(([, , act]) => act === 'answer' || act === 'thank').length,
    close_warn_at: runs === undefined ? null : ago(runs - close * 0.75),
    close_due_at: runs === undefined ? null : ago(runs - close),
    paused_at: then(ago, paused),
    paused_until: paused === undefined ? null : ago(-48),
    pause_text: '',
    paused_s: 0,
    closed_at: then(ago, lastOf(t, 'close') ?? lastOf(t, 'thank') ?? lastOf(t, 'cancel')),
  }
}

interface Teller {
  tenant: string
  w: Home
  ago: Ago
  names: Names
}
const rowOf = (
  t: Told,
  { ago, names, tenant, w }: Teller,
  known: { id: string; no: string; of: unknown },
) => {
  const [entered, by] = t.lines[0]!
  const [changed, last] = t.lines.at(-1)!
  const about = t.isAboutSteward ? w.steward_id : null
  return {
    tenant_id: tenant,
    id: known.id,
    no: known.no,
    bc_id: w.bc_id,
    site_id: w.id,
    kind: t.kind,
    level: t.level,
    about: t.about ?? 'work',
    about_id: about,
    hidden_from: about,
    channel: t.channel,
    words: t.words,
    pictures: [],
    status: open,
    round: 1,
    assignee_id: lastOf(t, 'accept') === undefined ? null : w.steward_id,
    entered_by: names[by],
    entered_at: ago(entered),
    ...clocksOf(t, ago),
    rung: t.rung ?? 0,
    climbed_at: t.rung ? then(ago, lastOf(t, 'escalate')) : null,
    result: '',
    of_id: known.of,
    scored_by: lastOf(t, 'score') === undefined ? '' : names.service,
    called_back: false,
    changed_by: names[last],
    changed_at: ago(changed),
    version: t.lines.length - 1,
    ...t.now,
  }
}
const childOf = (t: Told, { ago, tenant, w }: Teller, id: string) => ({
  tenant_id: tenant,
  id: uuidv7(),
  bc_id: w.bc_id,
  site_id: w.id,
  source: 'feedback',
  source_id: id,
  problem: t.child,
  pictures: [],
  at: then(ago, lastOf(t, 'correct')),
  correction_status: correctionStatus.code.correcting,
  step: correctionStep.code.assigned,
  round: 1,
  disputed: false,
  assignee_id: w.manager_id,
  corrector_ids: [],
  verified_by: '',
  due_at: ago(-48),
  version: 0,
  changed_by: w.steward,
  changed_at: then(ago, lastOf(t, 'correct')),
})

interface Written {
  rows: { id: string }[]
  events: object[]
  supervisors: object[]
  found: object[]
}
/** One branch: every line of the story, on its homes. */
async function tellBranch(tx: Tx, tenant: string, own: readonly Home[], all: Written): Promise<void> {
  const holder = async (role: string) =>
    (await holdersOf(tx, { tenant, site: own[0]!.id, role, right: HANDLE, except: [] }))[0]
  const [service, gm] = [await holder('service'), await holder('branch_gm')]
  const ago: Ago = (hours) => new Date(tx.now.getTime() - hours * HOUR_MS)
  for (const t of STORY) {
    const w = own[t.at % own.length]!
    const names = {
      owner: w.owner,
      steward: w.steward,
      manager: w.manager,
      service: service?.nickname ?? w.manager,
      gm: gm?.nickname ?? w.manager,
      system: '系统',
    }
    const teller = { tenant, w, ago, names }
    const id = uuidv7()
    const no = await nextNumberToday(tx, tenant, 'feedback', ago(t.lines[0]![0]))
    all.rows.push(rowOf(t, teller, { id, no, of: t.isRepeated ? all.rows.at(-1)!.id : null }))
    for (const [hours, by, act, words] of t.lines) {
      const line = { at: ago(hours), actor: names[by], act, words, pictures: [] }
      all.events.push({ tenant_id: tenant, id: uuidv7(), feedback_id: id, ...line })
    }
    const people = t.rung ? [service, gm].flatMap((p, i) => (p ? [{ user_id: p.id, rung: i + 1 }] : [])) : []
    for (const p of people) all.supervisors.push({ tenant_id: tenant, feedback_id: id, at: ago(1), ...p })
    if (t.child) all.found.push(childOf(t, teller, id))
  }
}

/** Words of the demo's owners, once: in each branch every state that a feedback can be in. */
export async function tellFeedback(tx: Tx, tenant: string): Promise<void> {
  const homes = await homesOf(tx, tenant)
  if (homes.length === 0 || homes[0]!.told) return
  const all: Written = { rows: [], events: [], supervisors: [], found: [] }
  for (const own of Map.groupBy(homes, (h) => h.bc_id).values()) await tellBranch(tx, tenant, own, all)
  await tx.run(
    'demo.feedback',
    'INSERT INTO feedback SELECT x.* FROM json_populate_recordset(NULL::feedback, $1::json) x',
    [JSON.stringify(all.rows)],
  )
  await tx.run(
    'demo.feedbackevents',
    'INSERT INTO feedback_events SELECT x.* FROM json_populate_recordset(NULL::feedback_events, $1::json) x',
    [JSON.stringify(all.events)],
  )
  await tx.run(
    'demo.feedbacksupervisors',
    `INSERT INTO feedback_supervisors
     SELECT x.*
     FROM json_populate_recordset(NULL::feedback_supervisors, $1::json) x`,
    [JSON.stringify(all.supervisors)],
  )
  await tellFound(tx, all.found, [])
}
