import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import {
  type Figure,
  figure,
  PER_SITES,
  type Remark,
  type Supervised,
  type Supervision,
} from '@zhuguan/contract/features/supervision/supervision.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'

import { call } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { short } from '../../kit/time.ts'
import { Pace } from './figureWords.tsx'

interface Line {
  figure: Figure
  n: number | null
  bad?: boolean
  beside?: React.ReactNode
  help: string
}
const promised = (due: number | null, broken: number | null) =>
  due === null || broken === null || due < 5 ? (
    <small>{due ? `样本不足（${due} 条）` : ''}</small>
  ) : (
    <small>
      兑现率 {Math.round(((due - broken) / due) * 1000) / 10}%（{due - broken}/{due} 条）
    </small>
  )
const groupsOf = (p: Supervised): [string, Line[]][] => [
  [
    '工地',
    [
      { figure: 'sites', n: p.sites, help: '现在由本人负责的在建工地' },
      { figure: 'homes', n: p.homes, help: '这段时间里由本人带过的工地，交出去的也在内' },
    ],
  ],
  [
    '巡检',
    [
      { figure: 'planned', n: p.planned, help: '排给本人、时间已经过完的计划巡检；免除的不算' },
      { figure: 'patrolled', n: p.patrolled, help: '其中有人完成了的，包括逾期完成的' },
      { figure: 'missed', n: p.missed, bad: true, help: '其中到最后也没有人巡检的' },
    ],
  ],
  [
    '快慢',
    [
      {
        figure: 'answered',
        n: p.answered,
        beside: <Pace n={p.answered} p50={p.answerP50} p90={p.answerP90} />,
        help: '业主的留言和反馈，从说出到第一次回复；接手以前等的时间不算在接手的人头上',
      },
      {
        figure: 'responded',
        n: p.responded,
        beside: <Pace n={p.responded} p50={p.responseP50} p90={p.responseP90} />,
        help: '从整改单轮到本人，到点开始整改或交照片',
      },
      {
        figure: 'corrected',
        n: p.corrected,
        beside: <Pace n={p.corrected} p50={p.correctionP50} p90={p.correctionP90} />,
        help: '本人交照片并复核通过的整改；等复核的时间不算，重新打开的等再次通过才算',
      },
      { figure: 'late', n: p.late, bad: true, help: '在本人手上到期的整改；到期以前交出去的不算' },
    ],
  ],
  [
    '业主',
    [
      {
        figure: 'complaints',
        n: p.complaints,
        bad: true,
        beside: p.perTen !== null && (
          <small>
            每 {PER_SITES} 个工地 {p.perTen} 条
          </small>
        ),
        help: '登记时由本人负责的工地的投诉，和关于本人的；取消的不算。对本人回避的投诉在解除回避以前不算进任何数',
      },
      {
        figure: 'firstBroken',
        n: p.firstBroken,
        bad: true,
        beside: promised(p.firstDue, p.firstBroken),
        help: '到期那天由本人负责的承诺，按最初说的日期没有兑现的',
      },
      {
        figure: 'presentBroken',
        n: p.presentBroken,
        bad: true,
        beside: promised(p.presentDue, p.presentBroken),
        help: '同上，按改过以后现在的日期',
      },
    ],
  ],
  [
    '预警',
    [
      { figure: 'done', n: p.done, help: '事情办好以后关闭的预警，关闭时由本人负责' },
      { figure: 'replanned', n: p.replanned, bad: true, help: '事情没办、把计划日期往后改而消除的预警' },
      { figure: 'byHand', n: p.byHand, help: '有人写了理由手工关闭的预警，事情不一定办了；不计入名次' },
    ],
  ],
]

/** Every figure with its list, what it is, and what the person has to say to it. */
export function FigureTable({
  of,
  onRemark,
  onChanged,
}: {
  of: Supervision
  onRemark: ((figure: Figure) => void) | undefined
  onChanged: () => void
}) {
  const { from, kept, person: p, to } = of
  const query = { id: p.id, bc_id: p.bc_id, from, to }
  const isSteward = p.post === principalPost.code.steward
  return (
    <section className="card supervise-figures">
      <table className="grid">
        <thead>
          <tr>
            <th className="first">指标</th>
            <th className="right">数</th>
            <th>一半以内 / 九成以内、比例</th>
            <th>本人的说明</th>
          </tr>
        </thead>
        {groupsOf(p).map(([title, lines]) => (
          <tbody key={title}>
            <tr className="group">
              <th colSpan={4} scope="rowgroup">
                {title}
              </th>
            </tr>
            {lines.map((l) => (
              <tr key={l.figure} data-figure={l.figure}>
                <th scope="row" className="first" title={l.help}>
                  {figure.label(l.figure)}
                </th>
                <td className="right">
                  <Count line={l} query={query} />
                </td>
                <td>
                  {l.beside}
                  {l.figure === 'answered' && l.n === 0 && !isSteward && (
                    <small className="quiet">业主的话先由管家回复</small>
                  )}
                </td>
                <td>
                  <Said
                    of={of.remarks.filter((r) => r.figure === l.figure)}
                    mine={!!onRemark}
                    onDone={onChanged}
                  />
                  {onRemark && (
                    <button className="text-button no-print" onClick={() => onRemark(l.figure)}>
                      写说明
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {!!kept && (
        <p className="quiet supervise-kept">
          另有{' '}
          <LinkTo page="ManageSupervise" query={{ ...query, figure: 'kept' }}>
            {kept} 条投诉
          </LinkTo>{' '}
          对本人回避，解除以前不在上面任何一个数里，本人也看不到这一行。
        </p>
      )}
    </section>
  )
}

function Count({
  line: { bad, figure: name, n },
  query,
}: {
  line: Line
  query: Record<'id' | 'bc_id' | 'from' | 'to', string>
}) {
  if (n === null) return <span title="您没有看这类记录的权限">--</span>
  if (n === 0) return 0
  return (
    <LinkTo
      page="ManageSupervise"
      query={{ ...query, figure: name }}
      className={bad ? 'figure-bad' : undefined}
    >
      {n}
    </LinkTo>
  )
}

function Said({ of, mine, onDone }: { of: readonly Remark[]; mine: boolean; onDone: () => void }) {
  return of.map((r) => (
    <p key={r.id} className="said" title={`对 ${r.from} 至 ${r.to} 的说明`}>
      {r.words} <small className="quiet">{short(r.at)}</small>
      {mine && (
        <span className="no-print">
          <RowActions
            actions={[
              {
                key: 'unsay',
                label: '收回',
                confirm: '收回这条说明？操作日志里会留下它。',
                run: () => call(supervisionApi.unsay, { body: { id: r.id, version: r.version } }),
              },
            ]}
            onDone={onDone}
          />
        </span>
      )}
    </p>
  ))
}
