import { casePageApi } from '@zhuguan/contract/features/cases/case-page.api.ts'
import {
  caseScope,
  caseState,
  caseWhere,
  type HomeCase,
} from '@zhuguan/contract/features/cases/cases.record.ts'
import { consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/stages.record.ts'
import { useEffect, useState } from 'react'

import { call } from '../../kit/api.ts'
import { isAway } from './away.ts'
import type { Bearer } from './bearer.ts'
import { LinkPicture } from './LinkPicture.tsx'
import { useAct } from './useAct.ts'

import './ownerCases.css'

const FRESH_MS = 60_000
const { asked, consented, published } = caseState.code
const YES = 1
const NO = 2

/** Whether the home may be shown to others: exactly what would be seen, a yes or a no, and the way back. */
export default function OwnerCases({ bearer }: { bearer: Bearer }) {
  const [list, setList] = useState<HomeCase[] | null>(null)
  const read = async () => {
    try {
      setList(await call(casePageApi.cases, { body: bearer }))
    } catch (error) {
      // What the page says of a link that is over, it says for all of its parts.
      if (!isAway(error)) setList(null)
    }
  }
  useEffect(() => {
    void read()
    const fresh = setInterval(() => document.hidden || void read(), FRESH_MS)
    return () => clearInterval(fresh)
  }, [])
  if (!list || list.length === 0) return null
  return (
    <section className="owner-card" aria-label="把您的家作为案例">
      <h2>把您的家作为案例展示</h2>
      <ul className="owner-items">
        {list.map((k) => (
          <Asked key={k.id} of={k} bearer={bearer} again={read} />
        ))}
      </ul>
    </section>
  )
}

function wordOf(k: HomeCase): string {
  switch (k.state) {
    case asked:
      return `${k.askedBy}请您看一看，下面就是将来别人看到的全部内容`
    case consented:
      return '您家已同意，还没有上架'
    case published:
      return '您家已同意，正在展示'
    default:
      return `${caseState.label(k.state)}，没有在展示`
  }
}

function Asked({ of: k, bearer, again }: { of: HomeCase; bearer: Bearer; again: () => Promise<void> }) {
  const { actOf, done } = useAct()
  const [asking, setAsking] = useState<'no' | 'withdraw' | 'yes' | null>(null)
  const [busy, setBusy] = useState(false)
  const [why, setWhy] = useState('')
  async function send(work: () => Promise<unknown>) {
    setBusy(true)
    setWhy('')
    try {
      await work()
      setAsking(null)
    } catch (error) {
      setWhy((error as Error).message)
      if (isAway(error)) return
    } finally {
      setBusy(false)
    }
    done()
    await again()
  }
  const answer = (said: typeof NO | typeof YES) =>
    send(() =>
      call(casePageApi.answer, {
        body: { ...bearer, act: actOf(said), id: k.id, answer: said, version: k.version, wording: k.wording },
      }),
    )
  const takeBack = () =>
    send(() => call(casePageApi.withdraw, { body: { ...bearer, act: actOf('back'), id: k.id } }))
  const isLive = k.mayAnswer || k.mayWithdraw
  const saysNo =
    !k.signatory && (k.mine === consentState.code.refused || k.mine === consentState.code.withdrawn)
  return (
    <li>
      <p>
        <b>{k.shown.title}</b>
      </p>
      <p className="owner-meta">{wordOf(k)}</p>
      {isLive && <Shown of={k} bearer={bearer} />}
      {why && <p role="alert">{why}</p>}
      {k.mayAnswer && !asking && (
        <div className="owner-decide">
          {(k.signatory || saysNo) && (
            <button className="button primary" onClick={() => setAsking('yes')}>
              {k.signatory ? '同意' : '我不再反对'}
            </button>
          )}
          {!saysNo && (
            <button className="button" onClick={() => setAsking('no')}>
              不同意
            </button>
          )}
          {!k.signatory && (
            <p className="quiet">
              {saysNo
                ? '您说过不同意，所以没有展示；您不再反对，业主本人也同意，才会展示。'
                : '同意要由合同上的业主本人点；您不同意，就不会公开。'}
            </p>
          )}
        </div>
      )}
      {k.mayWithdraw && !asking && (
        <div className="owner-decide">
          <button className="button" disabled={busy} onClick={() => void takeBack()}>
            收回同意，不再展示
          </button>
        </div>
      )}
      {asking && (
        <div className="owner-decide" role="group" aria-label="确认答复">
          <p>
            您的答复：<b>{asking === 'yes' ? '同意展示' : '不同意展示'}</b>
          </p>
          <p className="quiet">
            {asking === 'yes'
              ? '随时可以在这里一键收回，收回后马上不再展示；已经被别人截屏保存的，追不回来。'
              : '不会公开，也不影响您家的施工和服务。'}
          </p>
          <button
            className="button primary"
            disabled={busy}
            onClick={() => void answer(asking === 'yes' ? YES : NO)}
          >
            {busy ? '正在发送…' : '确认'}
          </button>
          <button className="button" disabled={busy} onClick={() => setAsking(null)}>
            返回
          </button>
        </div>
      )}
    </li>
  )
}

/** The strangers' view, picture for picture, with its places and its last day. */
function Shown({ of: { id, places, scope, shown: s }, bearer }: { of: HomeCase; bearer: Bearer }) {
  const facts: [string, string | null][] = [
    ['风格', s.style],
    ['小区', s.community],
    ['户型面积', s.layout === null ? null : `${s.layout} ${s.areaRange ?? ''}`],
    ['造价', s.priceRange],
    [s.finished ? '工期' : '已施工', s.days === null ? null : `${s.days} 天`],
    ['阶段', s.stages.map((g) => siteStage.label(g.name)).join('、')],
    ['施工', s.team.map((t) => t.surname).join('、')],
    ['您的评价', s.praise],
  ]
  return (
    <>
      {s.words && <p className="owner-case-words">{s.words}</p>}
      <dl className="owner-case">
        {facts
          .filter(([, text]) => text)
          .map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        <div>
          <dt>公开</dt>
          <dd>{scope.map(caseScope.label).join('、')}</dd>
        </div>
        <div>
          <dt>在哪里</dt>
          <dd>{places.map(caseWhere.label).join('、')}</dd>
        </div>
        <div>
          <dt>到哪天</dt>
          <dd>{s.until}，到期自动停止</dd>
        </div>
      </dl>
      <div className="owner-pictures">
        {s.pictures.map((p) => (
          <LinkPicture key={`${id} ${p.key}`} bearer={bearer} of={p.key} title={`${p.day} 的照片`} />
        ))}
      </div>
      {s.film.length > 0 && (
        <p className="quiet">其中 {s.film.length} 张是同一机位同一钟点的，会按日期连成时间轴给人看。</p>
      )}
      <p className="quiet">不会公开您的姓名、电话、门牌号和具体造价；工人只写姓，脸已遮住。</p>
    </>
  )
}
