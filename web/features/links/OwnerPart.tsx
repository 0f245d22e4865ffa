import type { HomePage } from '@zhuguan/contract/features/owners/home-page.record.ts'
import { siteStage, siteStatus, stageState } from '@zhuguan/contract/features/sites/stages.record.ts'
import { useEffect, useState } from 'react'

import { barePart } from '../../kit/barePart.tsx'
import { full, short } from '../../kit/time.ts'
import { OwnerThread } from '../../parts/OwnerThread.tsx'
import type { Bearer } from './bearer.ts'
import { OwnerDevices } from './OwnerDevices.tsx'
import { OwnerFeedback } from './OwnerFeedback.tsx'
import { OwnerPromises } from './OwnerPromises.tsx'
import { OwnerQuestions } from './OwnerQuestions.tsx'
import { OwnerVisits } from './OwnerVisits.tsx'
import { useHome } from './useHome.ts'

import '../../kit/plate.css'
import './ownerPage.css'

const OwnerCases = barePart(() => import('./OwnerCases.tsx'))
const OwnerVideo = barePart(() => import('./OwnerVideo.tsx'))
const OwnerIntroduce = barePart(() => import('./OwnerIntroduce.tsx'))
const OwnerPrivacy = barePart(() => import('./OwnerPrivacy.tsx'))
const { accepted, going, waiting } = stageState.code
const LOOKS = { [accepted]: 'done', [going]: 'going', [waiting]: 'waiting' } as const

function Plate({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <main className="plate">
      <h1>{title}</h1>
      {children}
    </main>
  )
}

/** The days of a stage in one line: what was done, else what is planned. */
function daysOf(s: HomePage['stages'][number]): string {
  if (s.state === accepted) return `${s.actualFinish} 验收通过`
  if (s.state === going)
    return s.plannedFinish ? `进行中，计划 ${s.plannedFinish} 完成` : `${s.actualStart ?? ''} 开始`
  return s.plannedStart ? `计划 ${s.plannedStart} 开始` : '还没有排期'
}

function Stages({ page }: { page: HomePage }) {
  const done = page.stages.filter((s) => s.state === accepted).length
  return (
    <section className="owner-card">
      <h2>
        施工进度{' '}
        <small>
          {done}/{page.stages.length} 个阶段已验收
        </small>
      </h2>
      <ol className="owner-stages">
        {page.stages.map((s) => (
          <li key={s.stage} data-state={LOOKS[s.state]}>
            <b>{siteStage.label(s.stage)}</b>
            <span>{daysOf(s)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Week({ page }: { page: HomePage }) {
  return (
    <section className="owner-card">
      <h2>最近 7 天</h2>
      {page.week.length === 0 && <p className="quiet">这一周没有登记的进展。</p>}
      <ul className="owner-lines">
        {page.week.map((w) => (
          <li key={`${w.at} ${w.text}`}>
            <span>{w.text}</span>
            <time>{short(w.at).slice(0, 5)}</time>
          </li>
        ))}
      </ul>
    </section>
  )
}

const termOf = (p: HomePage): string =>
  p.actualFinish
    ? `${p.actualFinish} 完工${p.warrantyUntil ? `，保修到 ${p.warrantyUntil}` : ''}`
    : [p.startDate && `${p.startDate} 开工`, p.plannedFinish && `计划 ${p.plannedFinish} 完工`]
        .filter(Boolean)
        .join('，')

/** The page of a home's people, on a device that was let in. */
export default function OwnerPart({ bearer }: { bearer: Bearer }) {
  const { away, dead, read, state } = useHome(bearer)
  const [friend, setFriend] = useState(false)
  const [privacy, setPrivacy] = useState(false)
  useEffect(() => {
    document.title = state?.state === 'bound' ? state.page.ws_name : '我的家'
  }, [state])
  if (dead)
    return (
      <Plate title="这个链接不能再用">
        <p>{dead}</p>
      </Plate>
    )
  if (!state && away)
    return (
      <Plate title="连接不上服务器">
        <p>请到有网络的地方再试一次。</p>
        <button className="button primary" onClick={() => void read()}>
          重试
        </button>
      </Plate>
    )
  if (!state) return <main className="plate" aria-busy="true" />
  if (state.state === 'removed')
    return (
      <Plate title="这台设备已被移除">
        <p>要重新使用，请联系您的管家发一个新的链接。</p>
      </Plate>
    )
  if (state.state === 'asking')
    return (
      <Plate title="等待确认">
        <p>请把下面的号码告诉您的管家，确认是您本人后，这一页会自己打开。</p>
        <b role="status">{state.code}</b>
        <p className="quiet">在这之前，这里什么都不显示。</p>
      </Plate>
    )
  const { page } = state
  const again = () => void read()
  return (
    <main className="owner-page">
      <header>
        <h1>{page.ws_name}</h1>
        <p>
          {page.name}，您好 · {siteStatus.label(page.status)}
        </p>
        <p>{termOf(page)}</p>
        {page.steward && <p>{page.steward} 为您服务</p>}
        {away && (
          <p className="owner-away" role="status">
            现在没有网络，下面是 {short(page.at)} 的情况
          </p>
        )}
      </header>
      <OwnerQuestions bearer={bearer} />
      <OwnerCases bearer={bearer} />
      <OwnerVideo bearer={bearer} />
      <Stages page={page} />
      <Week page={page} />
      <OwnerVisits bearer={bearer} visits={page.visits} again={again} />
      <OwnerPromises bearer={bearer} promises={page.promises} again={again} />
      <section className="owner-card">
        <h2>留言</h2>
        <OwnerThread bearer={bearer} />
      </section>
      <OwnerFeedback bearer={bearer} feedback={page.feedback} keeper={page.steward} again={again} />
      <OwnerDevices bearer={bearer} devices={page.devices} again={again} />
      {friend && <OwnerIntroduce bearer={bearer} />}
      {privacy && <OwnerPrivacy bearer={bearer} />}
      <div className="owner-buttons">
        {!friend && (
          <button className="button" onClick={() => setFriend(true)}>
            介绍朋友
          </button>
        )}
        {!privacy && (
          <button className="button" onClick={() => setPrivacy(true)}>
            我的个人信息：要一份，或删除
          </button>
        )}
      </div>
      <footer>以上截至 {full(page.at)}</footer>
    </main>
  )
}
