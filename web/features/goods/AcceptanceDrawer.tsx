import { useQuery } from '@tanstack/react-query'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import type { SheetDetail } from '@zhuguan/contract/features/goods/goods.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { Drawer } from 'antd'
import { useEffect, useState } from 'react'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { Picture } from '../../kit/Picture.tsx'
import { full, short } from '../../kit/time.ts'
import { NoteLink, OrderLink } from '../../parts/documentLinks.tsx'
import { useActor, useMayReach } from '../../parts/session.ts'
import { CheckOf } from './goodsStates.tsx'
import { JudgeFoot } from './JudgeFoot.tsx'
import { changesOf, isWaiting, lacksOf, type SheetLine } from './sheetDraft.ts'
import { SheetLineCard } from './SheetLineCard.tsx'
import { SheetPaper } from './SheetPaper.tsx'
import type { SheetDrafts } from './useSheetDrafts.ts'

import './goods.css'

const SheetDrawers = lazyPart(() => import('./SheetDrawers.tsx'))

/** A sheet: what came, what is found of it line by line, and what was found before. */
export default function AcceptanceDrawer({
  id,
  hand,
  onClose,
  onDone,
}: {
  id: string
  hand: SheetDrafts
  onClose: () => void
  onDone: () => void
}) {
  const { data, error, refetch } = useQuery({
    queryKey: [goodsApi.sheet.path, id],
    queryFn: ({ signal }) => call(goodsApi.sheet, { query: { id } }, signal),
  })
  useLive(['goods'], () => refetch(), { only: (e) => e.id === id })
  const [asked, setAsked] = useState(false)
  const draft = hand.of(id)
  const isSent = hand.sent?.id === id
  useEffect(() => {
    if (data) hand.rebase(data)
  }, [data])
  useEffect(() => {
    if (isSent) void refetch()
  }, [isSent])
  // Without a network the draft knows its sheet.
  const sheet = draft?.sheet ?? data
  const judges = hasPermission(useActor(), 'accept:do') && !!sheet?.buyer
  const isOpen = judges && !!sheet && sheet.lineList.some(isWaiting)
  const lacks = isOpen ? lacksOf(hand.start(sheet)) : {}
  function submit(of: SheetDetail) {
    setAsked(true)
    const [first] = Object.keys(lacks)
    if (first) document.getElementById(`line-${first}`)?.scrollIntoView({ block: 'center' })
    else void hand.handIn(of)
  }
  return (
    <Drawer
      open
      title={sheet ? `验收 ${sheet.sheetCode}` : '验收单'}
      size="min(880px, 100vw)"
      rootClassName="sheet-drawer"
      onClose={onClose}
      extra={
        sheet && (
          <button className="button" onClick={() => window.print()}>
            打印
          </button>
        )
      }
      footer={
        sheet &&
        (isOpen || draft) && (
          <JudgeFoot sheet={sheet} hand={hand} may={isOpen} onSubmit={() => submit(sheet)} />
        )
      }
    >
      {error && !sheet && <Failed error={error} again={() => void refetch()} />}
      {!sheet && !error && <div className="page-wait" aria-busy="true" />}
      {sheet && (
        <>
          <Body
            sheet={sheet}
            hand={hand}
            isOpen={isOpen}
            judges={judges}
            lacks={asked ? lacks : {}}
            onDone={() => {
              void refetch()
              onDone()
            }}
          />
          <SheetPaper sheet={sheet} />
        </>
      )}
    </Drawer>
  )
}

function Body({
  sheet,
  hand,
  isOpen,
  judges,
  lacks,
  onDone,
}: {
  sheet: SheetDetail
  hand: SheetDrafts
  isOpen: boolean
  judges: boolean
  lacks: Readonly<Record<string, string>>
  onDone: () => void
}) {
  const draft = hand.of(sheet.id)
  const [asking, setAsking] = useState<{ kind: 'complain' | 'surplus'; line: SheetLine } | null>(null)
  const mayComplain = hasPermission(useActor(), 'change:add') && sheet.buyer
  const changes = draft ? changesOf(draft) : []
  const findings = (isOpen ? hand.start(sheet) : undefined)?.findings ?? {}
  return (
    <div className="sheet-body">
      {draft?.before && (
        <div className="sheet-changed" role="alert">
          <b>您填写期间这张验收单变了，草稿还在，请核对后再提交：</b>
          {changes.map((text) => (
            <p key={text}>{text}</p>
          ))}
          {changes.length === 0 && <p>待验收的数量没有变。</p>}
        </div>
      )}
      {draft?.fault && (
        <p className="sheet-changed" role="alert">
          {draft.fault}
        </p>
      )}
      <Head of={sheet} />
      {sheet.lineList.map((line, i) => (
        <SheetLineCard
          key={line.line_id}
          number={i + 1}
          sheet={sheet}
          line={line}
          findings={findings[line.line_id] ?? []}
          why={lacks[line.line_id]}
          hand={isOpen ? hand : undefined}
          frozen={!!draft?.sending}
          {...(mayComplain && { onComplain: () => setAsking({ kind: 'complain', line }) })}
          {...(judges && { onSurplus: () => setAsking({ kind: 'surplus', line }) })}
        />
      ))}
      {asking && <SheetDrawers {...asking} sheet={sheet} onClose={() => setAsking(null)} onDone={onDone} />}
    </div>
  )
}

function Head({ of: s }: { of: SheetDetail }) {
  const maySite = useMayReach('SiteInfo')
  return (
    <>
      <Facts>
        <Fact name="工地">
          {maySite && s.site_id ? (
            <LinkTo page="SiteInfo" query={{ id: s.site_id }}>
              {s.ws_name}
            </LinkTo>
          ) : (
            s.ws_name
          )}
        </Fact>
        <Fact name="商家">{s.receiverName}</Fact>
        <Fact name="状态">
          <CheckOf state={s.checkState} />
        </Fact>
        <Fact name="订单">
          <OrderLink id={s.order_id} code={s.orderCode} />
        </Fact>
        <Fact name="发货单">
          <NoteLink id={s.id} code={s.code} />
        </Fact>
        <Fact name="送达">{`${short(s.deliveredAt)} ${s.deliveredBy} ${s.deliveredPlace}`.trim()}</Fact>
        {s.checkedAt !== null && <Fact name="验收">{`${full(s.checkedAt)} ${s.checkedBy}`}</Fact>}
        {s.complainUntil !== null && <Fact name="申诉期">{`到 ${s.complainUntil} 为止`}</Fact>}
      </Facts>
      {s.damage && <p className="goods-said late">送货人说有损坏：{s.damage}。请核对后在下面判定。</p>}
      {(s.photo || s.signature || s.damagePhoto) && (
        <div className="goods-shots" data-gallery>
          {s.photo && (
            <Picture picture={s.photo} caption={`送达照片 ${full(s.deliveredAt)}`} width={120} height={90} />
          )}
          {s.signature && <Picture picture={s.signature} caption="签收" width={120} height={90} />}
          {s.damagePhoto && <Picture picture={s.damagePhoto} caption="损坏" width={120} height={90} />}
        </div>
      )}
    </>
  )
}
