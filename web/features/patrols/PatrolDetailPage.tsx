import { useQuery } from '@tanstack/react-query'
import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import {
  itemVerdict,
  type PatrolDetail,
  type PatrolItem,
  patrolKind,
  patrolStatus,
} from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { useMemo } from 'react'

import { recordBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { barePart } from '../../kit/barePart.tsx'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { NOTHING } from '../../kit/list/columnsOf.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import type { Kind } from '../../kit/map/signs.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { usePageName, useParam } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { full, lasting, short } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { Tidy } from '../../parts/Tidy.tsx'
import { distanceOf, scoreText, StatusOf } from './patrolTable.tsx'
import { usePatrolActions } from './usePatrolActions.ts'

import './patrols.css'

const MapBox = barePart(() => import('../../kit/map/MapBox.tsx'))
const KINDS: readonly Kind[] = [
  { shape: 'triangle', tone: 'wait', label: '开始巡检的地方' },
  { shape: 'circle', tone: 'ok', label: '工地' },
]
/** The map counts in millionths. */
const DEGREE = 1_000_000
const NONE: readonly number[] = []
const TONE: Record<string, Tone> = { passed: 'ok', failed: 'bad', none: 'grey' }

/** Fetched when a link to the record is pressed. */
export const ahead = recordBy(patrolsApi.details)

/** One patrol: where it began, what was found item by item, and the three before it. */
export default function PatrolDetailPage() {
  const id = useParam('id') ?? ''
  const actionsOf = usePatrolActions()
  const {
    data: patrol,
    error,
    refetch,
  } = useQuery({
    queryKey: [patrolsApi.details.path, id],
    enabled: id !== '',
    queryFn: ({ signal }) => call(patrolsApi.details, { query: { id } }, signal),
  })
  usePageName(patrol?.number)
  useLive(['patrol', 'correction'], () => refetch(), { only: (e) => e.site_id === patrol?.site_id })
  if (!id) return <NoSubject what="巡检" from="巡检记录" />
  if (error) return <Failed error={error} again={() => void refetch()} />
  if (!patrol) return <div className="page-wait" aria-busy="true" />
  const actions = actionsOf(patrol)
  return (
    <div className="patrol-screen">
      <nav aria-label="返回">
        <LinkTo page="PatrolRecord">‹ 巡检记录</LinkTo>
        <span>巡检详情</span>
      </nav>
      <section className="card section">
        <h2>
          {patrol.number} {patrol.siteName} <StatusOf of={patrol} />
          <LogLink object="patrol" id={patrol.id} />
          <button className="button small" onClick={() => window.print()}>
            打印
          </button>
          {actions.length > 0 && <RowActions bar actions={actions} onDone={() => void refetch()} />}
        </h2>
        <div className="patrol-head">
          <FactsOf patrol={patrol} />
          <CheckIn patrol={patrol} />
        </div>
      </section>
      <section className="card section">
        <h2>{patrol.kind === patrolKind.code.remote ? '发现的问题' : '检查项'}</h2>
        {patrol.items.length === 0 && <p className="quiet">没有发现问题。</p>}
        <ol className="patrol-items">
          {patrol.items.map((item) => (
            <ItemOf key={item.id} item={item} patrol={patrol} />
          ))}
        </ol>
        {patrol.remark && <p>总体说明：{patrol.remark}</p>}
      </section>
      <section className="card section">
        <h2>这个工地之前的{patrolKind.label(patrol.kind)}巡检</h2>
        {patrol.before.length === 0 ? (
          <p className="quiet">这是第一次。</p>
        ) : (
          <div className="patrol-before">
            <Beside now patrol={{ ...patrol, submittedAt: patrol.submittedAt ?? patrol.begunAt }} />
            {patrol.before.map((b) => (
              <Beside key={b.id} patrol={b} />
            ))}
          </div>
        )}
      </section>
    </div>
  )
}

function problemsOf(p: PatrolDetail): string {
  if (p.problems > 0) return `${p.problems} 个，未整改 ${p.unfixed} 个`
  return p.status === patrolStatus.code.submitted ? '没有' : NOTHING
}
function FactsOf({ patrol: p }: { patrol: PatrolDetail }) {
  const isRemote = p.kind === patrolKind.code.remote
  return (
    <Facts>
      <Fact name="工地">
        <LinkTo page="SiteInfo" query={{ id: p.site_id }}>
          {p.siteName}
        </LinkTo>
      </Fact>
      <Fact name="类型">{patrolKind.label(p.kind)}巡检</Fact>
      <Fact name="巡检人">{p.inspectorName}</Fact>
      <Fact name="分公司">{p.bc_name}</Fact>
      <Fact name="开始">{full(p.begunAt)}</Fact>
      <Fact name="提交">
        {p.submittedAt && `${full(p.submittedAt)}，用时 ${lasting(p.submittedAt - p.begunAt)}`}
      </Fact>
      {p.plan_id && (
        <Fact name="计划">
          {p.planName}
          {p.planStopped && <small className="after">计划已停用</small>}
        </Fact>
      )}
      {p.closesAt !== null && (
        <Fact name="到期">
          {full(p.closesAt)}
          {p.submittedAt !== null && p.submittedAt > p.closesAt && (
            <small className="after late">逾期提交</small>
          )}
        </Fact>
      )}
      {isRemote ? (
        <>
          <Fact name="摄像头">{p.deviceSn}</Fact>
          <Fact name="整洁度">
            <Tidy result={p.tidiness} />
          </Fact>
        </>
      ) : (
        <>
          <Fact name="模板">{p.templateName}</Fact>
          <Fact name="得分">
            <span className="patrol-score">
              {scoreText(p.score)}
              {p.score !== null && <small>分</small>}
            </span>
          </Fact>
        </>
      )}
      <Fact name="问题">{problemsOf(p)}</Fact>
      {p.reason && (
        <Fact name="放弃原因" whole>
          {p.reason}
        </Fact>
      )}
    </Facts>
  )
}

/** The place where it began beside the site's; at a camera the still that was judged. */
function CheckIn({ patrol: p }: { patrol: PatrolDetail }) {
  const { places, points, names } = useMemo(() => {
    const all = [
      { lng: p.lng, lat: p.lat, kind: 0, name: '签到' },
      { lng: p.siteLng, lat: p.siteLat, kind: 1, name: '工地' },
    ].filter(
      (s): s is { lng: number; lat: number; kind: number; name: string } => s.lng !== null && s.lat !== null,
    )
    return {
      places: all,
      points: {
        lng: all.map((s) => Math.round(s.lng * DEGREE)),
        lat: all.map((s) => Math.round(s.lat * DEGREE)),
        kind: new Uint8Array(all.map((s) => s.kind)),
      },
      names: new Map(all.map((s, i) => [i, s.name])),
    }
  }, [p.lng, p.lat, p.siteLng, p.siteLat])
  if (p.kind === patrolKind.code.remote)
    return (
      <Picture picture={p.picture} caption={`${p.deviceSn} ${full(p.pictureAt)}`} width="100%" size="full" />
    )
  return (
    <div>
      <p className="quiet">
        定位偏差：{distanceOf(p)}
        {p.accuracy !== null && `，手机精度 ${Math.round(p.accuracy)} 米`}
      </p>
      {places.length > 0 && (
        <div className="patrol-map">
          <MapBox
            label="签到的地方和工地"
            kinds={KINDS}
            points={points}
            about={p.id}
            chosen={NONE}
            pulses={NONE}
            names={names}
            area={undefined}
            drawing={false}
            moving={null}
            focus={null}
            describe={(mark) => names.get(mark.i) ?? '签到和工地'}
            onPick={() => {}}
            onArea={() => {}}
            onMove={() => {}}
            onView={() => {}}
          />
        </div>
      )}
    </div>
  )
}

const CORRECTION: Record<number, Tone> = { 1: 'bad', 2: 'wait', 3: 'ok', 4: 'grey' }
function ItemOf({ item: i, patrol: p }: { item: PatrolItem; patrol: PatrolDetail }) {
  return (
    <li>
      <span>
        {i.verdict ? (
          <State tone={TONE[i.verdict] ?? 'grey'}>{itemVerdict.label(i.verdict)}</State>
        ) : (
          <State tone="grey">未判定</State>
        )}
      </span>
      <div>
        <b>{i.title}</b>
        {p.kind !== patrolKind.code.remote && <small className="after">权重 {i.weight}</small>}
        {i.hint && <p className="quiet">{i.hint}</p>}
        {i.problem && i.problem !== i.title && <p className="problem">{i.problem}</p>}
        {i.remark && <p>{i.remark}</p>}
        {i.correction && (
          <p>
            <LinkTo page="Correction" query={{ id: i.correction.id }}>
              整改单
            </LinkTo>{' '}
            <State tone={CORRECTION[i.correction.status] ?? 'grey'}>
              {correctionStatus.label(i.correction.status)}
            </State>{' '}
            <small>
              {i.correction.assigneeName || '还没有指派'}
              {i.correction.dueAt !== null && `，${short(i.correction.dueAt)} 前`}
            </small>
          </p>
        )}
      </div>
      <div className="patrol-shots">
        {i.pictures.map((key) => (
          <Picture
            key={key}
            picture={key}
            caption={`${p.siteName} ${i.title} ${full(p.submittedAt)}`}
            width={96}
            height={64}
          />
        ))}
      </div>
    </li>
  )
}

type Earlier = PatrolDetail['before'][number]
/** One of them beside the others: the same items in the same order. */
function Beside({
  patrol: p,
  now = false,
}: {
  patrol: Omit<Earlier, 'picture'> & { picture: string | null }
  now?: boolean
}) {
  return (
    <article className={now ? 'now' : undefined}>
      <b>
        {now ? (
          '这一次'
        ) : (
          <LinkTo page="PatrolDetail" query={{ id: p.id }}>
            {p.number}
          </LinkTo>
        )}
      </b>{' '}
      <small>
        {short(p.submittedAt)} {p.inspectorName}
      </small>
      <p>
        {p.tidiness === null ? <>得分 {scoreText(p.score)}</> : <Tidy result={p.tidiness} />}，
        {p.problems ? `${p.problems} 个问题` : '没有问题'}
      </p>
      <ul>
        {p.items.map((i, at) => (
          <li key={at} className={i.verdict === itemVerdict.code.failed ? 'failed' : undefined}>
            <span>{i.title}</span>
            <span>{i.verdict ? itemVerdict.label(i.verdict) : '未判定'}</span>
          </li>
        ))}
      </ul>
    </article>
  )
}
