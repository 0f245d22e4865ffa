import { QRCodeSVG } from '@rc-component/qrcode'
import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { previewOf } from '@zhuguan/contract/features/links/links.record.ts'
import type { PaintedScene } from '@zhuguan/contract/features/screens/walls-content.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { ReactNode } from 'react'

import { Away } from '../../kit/Away.tsx'
import { clock } from '../../kit/time.ts'
import type { Pictures } from './usePictures.ts'
import { WallRail } from './WallRail.tsx'
import { WallRings } from './WallRings.tsx'

/** The lists behind the figures, where somebody looks who may open them; a wall has none. */
export type SceneLinks = Partial<Record<'building' | 'present' | 'finished' | 'alarms' | 'cases', string>>
interface Of<K extends PaintedScene['kind']> {
  scene: Extract<PaintedScene, { kind: K }>
  links: SceneLinks
  pictures: Pictures
}

const AsOf = ({ at }: { at: number }) => <small className="wall-as-of">截至 {clock(at)}</small>
const Title = ({ children, at }: { children: ReactNode; at?: number }) => (
  <h2>
    {children}
    {at !== undefined && <AsOf at={at} />}
  </h2>
)

function Figures({ links, scene: s }: Of<'figures'>) {
  const counts = [
    ['在建工地', s.building, '个', links.building],
    ['今日到场', s.present, '人', links.present],
    ['本月完工', s.finished, '个', links.finished],
  ] as const
  return (
    <>
      <Title at={s.at}>我们正在做的</Title>
      <div className="wall-figures">
        {counts.map(([title, n, unit, href]) => (
          <p key={title}>
            <span>{title}</span>
            <Away href={href}>
              <b>{n}</b>
            </Away>
            <span>{unit}</span>
          </p>
        ))}
      </div>
    </>
  )
}
function Now({ links, scene: s }: Of<'now'>) {
  return (
    <>
      <Title at={s.at}>
        今天正在施工 <Away href={links.present}>{s.sites} 个工地</Away>，到场 {s.people} 人
      </Title>
      {s.places.length === 0 && <p className="wall-quiet">今天还没有人打卡</p>}
      <ul className="wall-places">
        {s.places.map((p) => (
          <li key={`${p.community}${p.stage}`}>
            <b>{p.community}</b>
            <span>{p.stage ? siteStage.label(p.stage) : '施工中'}</span>
            <span className="num">{p.people} 人</span>
          </li>
        ))}
      </ul>
    </>
  )
}
const Notice = ({ scene: s }: Of<'notice'>) => (
  <p className="wall-notice">
    <span>{s.words}</span>
  </p>
)
function Case({ links, pictures, scene: s }: Of<'case'>) {
  const facts = [s.community, s.style, s.layout, s.area, s.days && `施工 ${s.days} 天`].filter(Boolean)
  const shown = s.pictures.filter((p) => pictures.get(p.key))
  return (
    <div className="wall-case">
      <div className="wall-case-pictures" data-count={shown.length}>
        {shown.map((p) => (
          <figure key={p.key}>
            <img src={pictures.get(p.key)} alt="" />
            <figcaption>
              {p.stage && `${siteStage.label(p.stage)} `}
              {p.day}
            </figcaption>
          </figure>
        ))}
      </div>
      <div className="wall-case-words">
        <h2>
          <Away href={links.cases}>{s.title}</Away>
        </h2>
        <p>{facts.join(' · ')}</p>
        <p>{s.words}</p>
        {s.token && (
          <p className="wall-case-code">
            <QRCodeSVG
              value={location.origin + previewOf(s.token)}
              level="M"
              marginSize={4}
              title="案例二维码"
            />
            <span>扫码带走这个案例</span>
          </p>
        )}
      </div>
    </div>
  )
}
function Craft({ links, scene: s }: Of<'craft'>) {
  return (
    <>
      <Title at={s.at}>每一道工序</Title>
      <ol className="wall-craft">
        {s.stages.map((t) => (
          <li key={t.stage}>
            <b>{siteStage.label(t.stage)}</b>
            <span>
              {t.building === 0 ? (
                '现在没有在做'
              ) : (
                <Away href={links.building}>
                  <span className="num">{t.building}</span> 家正在做
                </Away>
              )}
            </span>
            <small>{t.days === null ? '完成的还不多' : `通常 ${t.days} 天（${t.daysOf} 家）`}</small>
          </li>
        ))}
      </ol>
    </>
  )
}
const RingsScene = ({ links, scene: s }: Of<'rings'>) => (
  <>
    <Title at={s.at}>
      {s.community}周边两公里：在建 <Away href={links.building}>{s.building}</Away>，完工 {s.finished}
    </Title>
    <WallRings scene={s} />
  </>
)
const Praise = ({ scene: s }: Of<'praise'>) => (
  <figure className="wall-praise">
    <blockquote>{s.praise}</blockquote>
    <figcaption>{[s.community, s.style, '业主'].filter(Boolean).join(' · ')}</figcaption>
  </figure>
)
function Alarms({ links, scene: s }: Of<'alarms'>) {
  return (
    <>
      <Title at={s.at}>报警</Title>
      <table className="wall-table">
        <thead>
          <tr>
            <th scope="col">类型</th>
            <th scope="col">今天</th>
            <th scope="col">没有办完</th>
          </tr>
        </thead>
        <tbody>
          {s.types.map((t) => (
            <tr key={t.type}>
              <th scope="row">{alarmType.label(t.type)}</th>
              <td>{t.today}</td>
              <td className={t.open > 0 ? 'is-open' : ''}>
                <Away href={links.alarms}>
                  {t.open > 0 && '● '}
                  {t.open}
                </Away>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
const MOST_RANKS = 8
function Ranking({ scene: s }: Of<'ranking'>) {
  return (
    <>
      <Title at={s.at}>各分公司工地整洁（优和良的占比）</Title>
      <table className="wall-table">
        <thead>
          <tr>
            <th scope="col">分公司</th>
            <th scope="col">整洁</th>
            <th scope="col">检查过</th>
            <th scope="col">在建</th>
          </tr>
        </thead>
        <tbody>
          {s.branches.slice(0, MOST_RANKS).map((b) => (
            <tr key={b.bc_name}>
              <th scope="row">{b.bc_name}</th>
              <td>{b.tidy === null ? '样本不足' : `${b.tidy}%`}</td>
              <td>{b.judged}</td>
              <td>{b.building}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

/** One scene, read from five metres. */
export function SceneOf({ scene, ...p }: { scene: PaintedScene; links: SceneLinks; pictures: Pictures }) {
  switch (scene.kind) {
    case 'figures':
      return <Figures {...p} scene={scene} />
    case 'now':
      return <Now {...p} scene={scene} />
    case 'notice':
      return <Notice {...p} scene={scene} />
    case 'case':
      return <Case {...p} scene={scene} />
    case 'rail':
      return <WallRail pictures={p.pictures} scene={scene} />
    case 'craft':
      return <Craft {...p} scene={scene} />
    case 'rings':
      return <RingsScene {...p} scene={scene} />
    case 'praise':
      return <Praise {...p} scene={scene} />
    case 'alarms':
      return <Alarms {...p} scene={scene} />
    case 'ranking':
      return <Ranking {...p} scene={scene} />
  }
}

const MORNING_ENDS = 11
const AFTERNOON_BEGINS = 13
const EVENING_BEGINS = 18
export function greetingAt(hour: number): string {
  if (hour < MORNING_ENDS) return '早上好'
  if (hour < AFTERNOON_BEGINS) return '中午好'
  return hour < EVENING_BEGINS ? '下午好' : '晚上好'
}
/** The scene of a wall when there is nothing else: never black. */
export const House = ({ group, now, store }: { group: string; store: string; now: number }) => (
  <div className="wall-house">
    <p>{greetingAt(Number(clock(now).slice(0, 2)))}，欢迎光临</p>
    <b>{store || '筑管'}</b>
    <p>{group}</p>
  </div>
)
