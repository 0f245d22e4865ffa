import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import {
  evidence,
  type EvidenceRow,
  FEW_JUDGED,
  type Supervision,
} from '@zhuguan/contract/features/supervision/supervision.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { full, lasting, nowSeconds, short } from '../../kit/time.ts'
import { linkOf } from './evidenceLinks.ts'
import { againstExpected } from './figureWords.tsx'

/** A record by its name, leading to it where the reader still reaches it. */
function Named({ of: r }: { of: EvidenceRow }) {
  const words = `${evidence.label(r.kind)}${r.title ? `「${r.title}」` : ''}`
  return (
    <>
      {r.isReached ? (
        <a href={`#${linkOf(r)}`}>{words}</a>
      ) : (
        <span title="已经交出去，打不开了">{words}</span>
      )}{' '}
      <small className="quiet">
        {r.siteName}
        {r.stage && ` · ${siteStage.label(r.stage)}`}
      </small>
    </>
  )
}

/** What has waited the longest comes before how much there is. */
export function Oldest({ of: { oldest, person: p } }: { of: Supervision }) {
  return (
    <section className="card section oldest">
      <h2>最久没办的</h2>
      {oldest?.since ? (
        <>
          <p className="age">
            <b title={`自 ${full(oldest.since)}`}>{lasting(nowSeconds() - oldest.since)}</b>
          </p>
          <p>
            <Named of={oldest} />
          </p>
          <p>
            手上没办的一共{' '}
            <LinkTo page="ManageSupervise" query={{ id: p.id, bc_id: p.bc_id, figure: 'open' }}>
              {p.open} 件
            </LinkTo>
            ，列表里等得最久的在前。
          </p>
        </>
      ) : (
        <p className="quiet">手上没有等着办的事。</p>
      )}
    </section>
  )
}

/** The rank among those of the same post in the branch, and the figure that moved it most. */
export function Rank({ of: { movers, person: p } }: { of: Supervision }) {
  return (
    <section className="card section rank-of">
      <h2>
        名次 <small>只和本分公司同岗位的人比</small>
      </h2>
      {p.rank === null ? (
        <p>
          <b>样本不足</b>
          <small className="quiet">
            {' '}
            计入 {p.judged} 条，满 {FEW_JUDGED} 条才排名
          </small>
        </p>
      ) : (
        <p>
          <b className="place">
            第 {p.rank} 名 / {p.ranked} 位{principalPost.label(p.post)}
          </b>
          <small className="quiet"> 计入 {p.judged} 条</small>
        </p>
      )}
      <p>
        没做好的 {p.bad} 条，同样阶段、同样多的工地在本分公司一般是 {p.expected} 条：{againstExpected(p)}。
      </p>
      {movers.length > 0 && (
        <>
          <h3>影响最大的 {movers.length} 条</h3>
          <ol>
            {movers.map((m) => (
              <li key={`${m.kind}${m.id}`}>
                <Named of={m} />
                <small className="quiet">
                  {' '}
                  {short(m.at)}，比预期多 {m.weight} 条
                </small>
              </li>
            ))}
          </ol>
        </>
      )}
      <p className="quiet">
        计入的是：到期的巡检、到期或完成的整改、到期的承诺（按最初日期）、关闭的预警，和每个带过的工地的投诉。
      </p>
    </section>
  )
}
