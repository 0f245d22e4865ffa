import { useQuery } from '@tanstack/react-query'
import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import {
  caseAct,
  type CaseDetail,
  type CasePicture,
  casePictureState,
  type CaseRow,
  caseScope,
  caseState,
  caseWhere,
  isCaseOver,
} from '@zhuguan/contract/features/cases/cases.record.ts'
import { consentHow, consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import { writtenBy } from '@zhuguan/contract/features/owners/home-devices.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { Drawer } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { short } from '../../kit/time.ts'
import { casePictureAt } from '../../parts/casePicture.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { nextOf, StateOf } from './caseTable.tsx'

const MaskView = lazyPart(() => import('./MaskView.tsx'))
const { masked, pulled, raw, released } = casePictureState.code
const TONE: Readonly<Record<CasePicture['state'], Tone>> = {
  [raw]: 'wait',
  [masked]: 'wait',
  [released]: 'ok',
  [pulled]: 'grey',
}

function Pictures({ of: k, onOpen }: { of: CaseDetail; onOpen: (id: string) => void }) {
  if (isCaseOver(k.state)) return <p className="quiet">{caseState.label(k.state)}，打过码的照片已经删除。</p>
  if (k.pictures.length === 0) return <p className="quiet">还没有照片，请用“编辑图文”从工地的照片里选。</p>
  return (
    <div className="case-pictures">
      {k.pictures.map((p) => (
        <button
          key={p.id}
          onClick={() => onOpen(p.id)}
          aria-label={`${p.day} ${casePictureState.label(p.state)}`}
        >
          <Picture
            plain
            at={p.rendition ? casePictureAt : undefined}
            picture={p.rendition ?? p.source}
            caption={p.day}
            width="100%"
            size="thumb"
          />
          <span>
            {p.day.slice(5)} {p.stage && siteStage.label(p.stage)}
          </span>
          <State tone={TONE[p.state]}>{casePictureState.label(p.state)}</State>
          {p.rendition && !p.agreed && k.state !== caseState.code.candidate && (
            <small className="due-soon">业主没看过，不公开</small>
          )}
        </button>
      ))}
    </div>
  )
}

/** What strangers would read, in the same words; nothing else of the home leaves. */
function Shown({ of: { preview: s, scope, state } }: { of: CaseDetail }) {
  const parts: [string, string | null][] = [
    ['风格', s.style],
    ['小区', s.community],
    ['户型面积', s.layout === null ? null : `${s.layout} ${s.areaRange ?? ''}`],
    ['造价', s.priceRange],
    ['工期', s.days === null ? null : `${s.days} 天`],
    ['团队', s.team.map((t) => t.surname).join('、')],
    ['评价', s.praise],
  ]
  const isOpen = state === caseState.code.candidate
  return (
    <>
      <p className="quiet">
        {isOpen ? '征求时选了的才公开：' : `业主看到和同意的是：${scope.map(caseScope.label).join('、')}`}
      </p>
      {s.words && <p className="case-words">{s.words}</p>}
      <Facts>
        {parts
          .filter(([, text]) => text)
          .map(([name, text]) => (
            <Fact key={name} name={name}>
              {text}
            </Fact>
          ))}
      </Facts>
    </>
  )
}

function Answers({ of: k }: { of: CaseDetail }) {
  if (k.answers.length === 0) return <p className="quiet">还没有人答复过。</p>
  return (
    <ol className="log">
      {k.answers.map((a) => (
        <li key={a.id}>
          <b>
            {a.name} {consentState.label(a.state)}
          </b>{' '}
          <small>
            {consentHow.label(a.how)} · {a.answeredOn} · {writtenBy(a.recordedBy, ' 登记')}
          </small>
          <p>{a.scope}</p>
          {a.withdrawnAt && (
            <p>
              {short(a.withdrawnAt)} {a.withdrawnBy} 撤回：{a.withdrawnWhy}
            </p>
          )}
          {a.proof && <Picture picture={a.proof} caption={`${a.name} 的答复凭证`} width={144} height={108} />}
        </li>
      ))}
    </ol>
  )
}

/** One case: its pictures, what would be public, who agreed to what, and what became of it. */
export default function CasePanel({
  row: k,
  masks,
  actions,
  onDone,
  onClose,
}: {
  row: CaseRow
  /** What waits for masks, or for another pair of eyes, comes at once. */
  masks: boolean
  actions: RowAction[]
  onDone: () => void
  onClose: () => void
}) {
  const [chosen, setOpen] = useState<string | null | undefined>(masks ? undefined : null)
  const { data, error, refetch } = useQuery({
    queryKey: [casesApi.details.path, k.id, k.version],
    queryFn: ({ signal }) => call(casesApi.details, { query: { id: k.id } }, signal),
    placeholderData: (old) => (old?.id === k.id ? old : undefined),
  })
  const waiting =
    data?.pictures.find((p) => p.state === raw) ?? data?.pictures.find((p) => p.state === masked)
  const open = chosen === undefined ? waiting?.id : chosen
  return (
    <>
      <Drawer
        open
        title={k.title}
        size="min(800px, 100vw)"
        mask={false}
        onClose={onClose}
        footer={actions.length > 0 && <RowActions bar actions={actions} onDone={onDone} />}
      >
        <Facts>
          <Fact name="状态">
            <StateOf row={k} />
          </Fact>
          <Fact name="还差什么">{nextOf(k) || '--'}</Fact>
          <Fact name="工地">
            <LinkTo page="SiteInfo" query={{ id: k.site_id }}>
              {k.siteName}
            </LinkTo>
          </Fact>
          <Fact name="授权到期">{k.until ?? '--'}</Fact>
          <Fact name="公开场合">{k.places.map(caseWhere.label).join('、') || '--'}</Fact>
          <Fact name="分公司">{k.bc_name}</Fact>
        </Facts>
        {error && <Failed error={error} again={() => void refetch()} />}
        {data && (
          <>
            <h3>照片</h3>
            <Pictures of={data} onOpen={setOpen} />
            <h3>公开的内容</h3>
            <Shown of={data} />
            <h3>授权记录</h3>
            <Answers of={data} />
            <h3>
              案例记录 <LogLink object="case" id={k.id} />
            </h3>
            <ol className="log">
              {data.log.map((l, i) => (
                <li key={i}>
                  <b>{caseAct.label(l.act)}</b>{' '}
                  <small>
                    {l.actor} · {short(l.at)}
                  </small>
                  {l.text && <p>{l.text}</p>}
                </li>
              ))}
            </ol>
          </>
        )}
      </Drawer>
      {open && data && !isCaseOver(data.state) && (
        <MaskView
          of={data}
          start={open}
          onDone={() => {
            onDone()
            void refetch()
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}
