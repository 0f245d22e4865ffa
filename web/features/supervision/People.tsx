import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import { peopleColumns } from '@zhuguan/contract/features/supervision/supervision.columns.ts'
import { type Figure, type Supervised } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'

import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { List } from '../../kit/list/useList.ts'
import { usePage } from '../../kit/page.tsx'
import { full, lasting, nowSeconds } from '../../kit/time.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { Pace, RankOf } from './figureWords.tsx'

type Span = Record<'from' | 'to', string | undefined>
const columnsFor = (span: Span) => {
  /** A number that opens its list, in red where it is not as it should be. */
  const opens =
    (name: Figure, tone?: 'bad', lead = '') =>
    (p: Supervised) => {
      const n = p[name as keyof Supervised]
      if (n === null) return `${lead}--`
      if (!n) return `${lead}0`
      const query = { id: p.id, bc_id: p.bc_id, figure: name, ...span }
      return (
        <LinkTo page="ManageSupervise" query={query} className={tone && `figure-${tone}`}>
          {lead + String(n)}
        </LinkTo>
      )
    }
  /** The unit of a number, small behind it. */
  const beside = (name: Figure, tone: 'bad' | undefined, title: string, more: [Figure, string]) =>
    function Beside(p: Supervised) {
      return (
        <span title={title}>
          {opens(name, tone)(p)} <small>{opens(more[0], undefined, more[1])(p)}</small>
        </span>
      )
    }
  const paced = (
    name: 'answered' | 'corrected' | 'responded',
    p50: keyof Supervised,
    p90: keyof Supervised,
  ) =>
    function Paced(p: Supervised) {
      return (
        <>
          {opens(name)(p)} <Pace n={p[name]} p50={p[p50] as number | null} p90={p[p90] as number | null} />
        </>
      )
    }
  return columnsOf<typeof supervisionApi.people>()(peopleColumns, {
    name: (p) => (
      <LinkTo page="ManageSupervise" query={{ id: p.id, bc_id: p.bc_id, ...span }}>
        {p.nickname}
        {p.isStopped && <small className="after"> 账号已停用</small>}
      </LinkTo>
    ),
    oldest: (p) =>
      p.oldestAt === null ? (
        '没有'
      ) : (
        <LinkTo
          page="ManageSupervise"
          query={{ id: p.id, bc_id: p.bc_id, figure: 'open' }}
          title={`自 ${full(p.oldestAt)}`}
        >
          {lasting(nowSeconds() - p.oldestAt)}
        </LinkTo>
      ),
    open: opens('open'),
    rank: (p) => <RankOf person={p} />,
    bad: (p) => (
      <span title="没做好的记录；后面是同样阶段、同样多的工地在本分公司一般有多少">
        {p.bad} <small>预期 {p.expected}</small>
      </span>
    ),
    sites: beside('sites', undefined, '现在在管的工地；后面是这段时间带过的', ['homes', '带过 ']),
    patrolled: beside('patrolled', undefined, '已经巡检的；后面是应该巡检的', ['planned', '应 ']),
    missed: opens('missed', 'bad'),
    answered: paced('answered', 'answerP50', 'answerP90'),
    responded: paced('responded', 'responseP50', 'responseP90'),
    corrected: paced('corrected', 'correctionP50', 'correctionP90'),
    late: opens('late', 'bad'),
    complaints: opens('complaints', 'bad'),
    firstBroken: beside('firstBroken', 'bad', '按最初日期没兑现的；后面按改期后的日期', [
      'presentBroken',
      '改期后 ',
    ]),
    done: opens('done'),
    replanned: opens('replanned', 'bad'),
    byHand: opens('byHand'),
  })
}

/** Everybody of a branch, who lets something wait the longest first. */
export function People({ list }: { list: List<typeof supervisionApi.people> }) {
  const { from, to } = list.address.filters
  const { oneBranch } = usePage()
  const of = list.rows[0]
  return (
    <div className="supervise-people">
      <Unled of={list.data?.unled ?? []} />
      <ListPage
        name="管理人员"
        list={list}
        columns={columnsFor({ from, to })}
        linkTo={(p) => hrefOf('ManageSupervise', { id: p.id, bc_id: p.bc_id, from, to })}
        empty="这个分公司还没有项目管家或项目经理。"
        order={[
          '最久没办的在前',
          '手上等得最久的在前。名次只和同岗位、同分公司比：每条记录对照同一阶段工地的平均水平，好于平均的在前；少于 5 条记录没有名次。',
        ]}
        filters={
          <>
            <KeywordFilter list={list} placeholder="姓名" />
            <BranchFilter single list={list} />
            <CodeFilter single list={list} field="post" label="岗位" options={principalPost.options} />
            <DayRangeFilter list={list} from="from" to="to" label="日期（默认近 30 天）" />
            {of && (
              <span className="quiet sum">
                {!oneBranch && `只列${of.bc_name}，别的用“分公司”换 · `}
                {list.data?.asOf}
              </span>
            )}
          </>
        }
        actions={<ListExport list={list} endpoint={supervisionApi.peopleExport} name="管理监督" />}
      />
    </div>
  )
}

/** What happens on a site without a steward or manager is nobody's figure. */
function Unled({ of }: { of: readonly { id: string; ws_name: string }[] }) {
  if (of.length === 0) return null
  return (
    <p className="card unled">
      {of.length} 个在建工地缺项目管家或项目经理，缺的那一位名下没有这些工地的记录：
      {of.map((s) => (
        <LinkTo key={s.id} page="SiteInfo" query={{ id: s.id }}>
          {s.ws_name}
        </LinkTo>
      ))}
    </p>
  )
}
