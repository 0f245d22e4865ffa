import { useQuery } from '@tanstack/react-query'
import { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import {
  type QuotationDetail,
  quotationStatus,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useEffect, useMemo, useRef, useState } from 'react'

import { call } from '../../kit/api.ts'
import { withControls } from '../../kit/Controls.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { message } from '../../kit/notices.ts'
import { usePage, usePageName, useParam } from '../../kit/page.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { clock } from '../../kit/time.ts'
import { Bridge, Figure } from '../../parts/Bridge.tsx'
import { LogLink } from '../../parts/LogLink.tsx'
import { useActor } from '../../parts/session.ts'
import { ClashBanner } from './ClashBanner.tsx'
import { comparedOf, contentOf, type Summed, summed, type Written } from './document.ts'
import { countOf, fitted, misfitOf } from './packageFit.ts'
import { Printed } from './Printed.tsx'
import { quotationAt } from './quotationAt.ts'
import type { OpenedQuotation } from './QuotationDrawers.tsx'
import { QuotationHead } from './QuotationHead.tsx'
import type { SaveState } from './saving.ts'
import { DiscountsSheet, LinesSheet, RoomsSheet } from './Sheets.tsx'
import { useOthers } from './useOthers.ts'
import { useQuotationActions } from './useQuotationActions.ts'
import { useWriting, type Writing } from './useWriting.ts'

import './quotations.css'

const QuotationDrawers = lazyPart(() => import('./QuotationDrawers.tsx'))
const VersionsDrawer = lazyPart(() => import('./VersionsDrawer.tsx'))

function QuotationEditPage() {
  const id = useParam('id') ?? ''
  const number = useParam('v') ?? ''
  const { data, error, refetch } = useQuery({ ...quotationAt(id, number), enabled: id !== '' })
  usePageName(data?.code)
  if (!id) return <NoSubject what="报价单" from="报价单" />
  if (error) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <div className="page-wait" aria-busy="true" />
  return <Opened key={`${data.version_id}/${data.frozen}`} detail={data} again={() => void refetch()} />
}

/** Why it can only be read; nothing where it can be written. */
function whyFrozen(detail: QuotationDetail, mayEdit: boolean): string | undefined {
  if (detail.shown !== detail.number)
    return `这是第 ${detail.shown} 版，提交以后不再改变；最新的是第 ${detail.number} 版`
  if (detail.frozen || detail.status !== quotationStatus.code.draft)
    return `当前为“${quotationStatus.label(detail.status)}”，内容不能修改`
  return mayEdit ? undefined : '您可以看，没有编辑报价单的权限'
}
type Tab = 'lines' | 'rooms' | 'discounts'
const NO_ITEMS: [] = []

function Opened({ detail, again }: { detail: QuotationDetail; again: () => void }) {
  const actor = useActor()
  const page = usePage()
  const seesCosts = hasPermission(actor, 'product:cost')
  const frozen = whyFrozen(detail, hasPermission(actor, 'quotation:edit'))
  const writing = useWriting(detail, seesCosts, frozen === undefined, again)
  const { written } = writing
  const sum = useMemo(() => safely(written), [written])
  const compared = useMemo(() => comparedOf(written, sum), [written, sum])
  const [tab, setTab] = useState<Tab>('lines')
  const [opened, setOpened] = useState<OpenedQuotation | null>(null)
  const [versions, setVersions] = useState(false)
  const [customer, setCustomer] = useState({
    id: detail.customer_id,
    name: detail.customerName,
    phone: detail.phone,
  })
  const { data: sold } = useQuery({
    queryKey: [packagesApi.details.path, written.sold?.id],
    enabled: !!written.sold && frozen === undefined,
    staleTime: Infinity,
    queryFn: ({ signal }) => call(packagesApi.details, { query: { id: written.sold!.id } }, signal),
  })
  const items = written.sold && sold?.id === written.sold.id ? sold.items : NO_ITEMS
  const misfit = useMemo(
    () => (items.length > 0 ? misfitOf(written, items) : { missing: [], homeless: [], other: [] }),
    [written, items],
  )
  const { others, version } = useOthers(detail.id, frozen === undefined && page.active)
  useEffect(() => {
    if (version !== undefined && version > writing.saving.version() && !writing.saving.isDirty()) again()
  }, [version])
  const go = (id: string, v?: number) => page.go(linkTo('QuotationEdit', { id, v }))
  const actions = useQuotationActions(detail, writing, {
    copy: () =>
      setOpened({
        kind: 'copy',
        id: detail.id,
        code: detail.code,
        number: detail.shown,
        customer_id: detail.customer_id,
      }),
    versions: () => setVersions(true),
  })
  usePageKeys(page.active, {
    setTab,
    save: () => void writing.saving.save(),
    run: (key) =>
      void actions
        .find((a) => a.key === key)
        ?.run?.('')
        .catch((error: Error) => message.error(error.message)),
  })
  const copyOf = (w: Written) =>
    void call(quotationsApi.add, {
      body: { customer_id: w.customer_id, content: contentOf(w, seesCosts) },
    }).then(async (made) => {
      await writing.saving.giveUp()
      go(made.id)
      again()
    })
  const sheets = { written, sum, write: writing.write, undo: writing.undo, redo: writing.redo, frozen }
  const tabs = [
    ['lines', '报价项', written.lines.length],
    ['rooms', '房间', written.rooms.length],
    ['discounts', '优惠', written.discounts.length],
  ] as const
  return (
    <section className="card quote" aria-label={`报价单 ${detail.code}`}>
      <header className="quote-head">
        <h2>
          {detail.code} <small>v{detail.shown}</small>
          <StateOf detail={detail} />
        </h2>
        {frozen === undefined ? <Saved state={writing.state} /> : <span className="quiet">{frozen}</span>}
        {others.length > 0 && (
          <span className="others">{others.map((o) => o.nickname).join('、')} 也在编辑</span>
        )}
        <span className="grow" />
        <RowActions actions={actions} onDone={again} shown={5} />
        <LogLink object="quotation" id={detail.id} />
      </header>
      {writing.clash && (
        <ClashBanner
          clash={writing.clash}
          onDecide={(w) => writing.saving.decide(w)}
          onCopy={copyOf}
          onGiveUp={() => void writing.saving.giveUp().then(again)}
        />
      )}
      <QuotationHead
        detail={detail}
        written={written}
        frozen={frozen !== undefined}
        write={writing.write}
        save={() => void writing.saving.save()}
        customer={
          <span>
            {customer.name} <small>{customer.phone}</small> {detail.community}{' '}
            {frozen === undefined && (
              <button
                className="text-button"
                onClick={() =>
                  setOpened({
                    kind: 'customer',
                    onPick: (c) => {
                      setCustomer(c)
                      writing.write((now) => ({ ...now, customer_id: c.id }))
                    },
                  })
                }
              >
                换
              </button>
            )}
          </span>
        }
      />
      <Bridge
        sum={sum}
        lines={compared}
        packageName={written.sold ? `${written.sold.name} v${written.sold.number}` : ''}
        discounts={written.discounts}
        after={<After sum={sum} seesCosts={seesCosts} />}
      />
      <Warnings
        detail={detail}
        misfit={countOf(misfit)}
        writing={writing}
        fit={() => writing.write((now) => fitted(now, misfit))}
        frozen={frozen}
      />
      <div role="tablist" className="quote-tabs" aria-label="内容">
        {tabs.map(([key, label, count], i) => (
          <button
            key={key}
            role="tab"
            aria-selected={tab === key}
            title={`Alt ${i + 1}`}
            onClick={() => setTab(key)}
          >
            {label} {count}
          </button>
        ))}
      </div>
      {tab === 'lines' && (
        <LinesSheet {...sheets} bc={detail.bc_id} items={items} misfit={misfit} seesCosts={seesCosts} />
      )}
      {tab === 'rooms' && <RoomsSheet {...sheets} />}
      {tab === 'discounts' && <DiscountsSheet {...sheets} frozen={frozen} />}
      <Printed detail={detail} written={written} sum={sum} />
      {opened && <QuotationDrawers opened={opened} onClose={() => setOpened(null)} onMade={(id) => go(id)} />}
      {versions && (
        <VersionsDrawer
          detail={detail}
          onClose={() => setVersions(false)}
          onOpen={(v) => {
            setVersions(false)
            go(detail.id, v === detail.number ? undefined : v)
          }}
        />
      )}
    </section>
  )
}

/** A number that is too long for a sum is refused in its cell; several of them together are told by the server. */
function safely(w: Written): Summed {
  try {
    return summed(w)
  } catch {
    return {
      ...summed({ ...w, lines: [], discounts: [] }),
      lines: w.lines.map(() => ({ priced: '', ordered: '', amount: '0.00', cost: null, below: '0.00' })),
    }
  }
}
const TABS: Readonly<Record<string, Tab>> = { Digit1: 'lines', Digit2: 'rooms', Digit3: 'discounts' }
/** Alt+1, 2, 3: a sheet, with the keyboard in it; Alt+P the PDF; Ctrl+S saves at once. */
function usePageKeys(
  isOn: boolean,
  does: { setTab: (tab: Tab) => void; save: () => void; run: (action: string) => void },
): void {
  const now = useRef(does)
  now.current = does
  useEffect(() => {
    if (!isOn) return
    const on = (e: KeyboardEvent) => {
      const tab = TABS[e.code]
      if (e.altKey && tab) now.current.setTab(tab)
      else if (e.altKey && e.code === 'KeyP') now.current.run('pdf')
      else if ((e.ctrlKey || e.metaKey) && e.code === 'KeyS') now.current.save()
      else return
      e.preventDefault()
    }
    addEventListener('keydown', on)
    return () => removeEventListener('keydown', on)
  }, [isOn])
}
const { draft, approved, rejected, contracted } = quotationStatus.code
function StateOf({ detail }: { detail: QuotationDetail }) {
  const tones = { [draft]: 'wait', [approved]: 'ok', [rejected]: 'bad', [contracted]: 'ok' } as const
  return (
    <>
      <State tone={tones[detail.status as keyof typeof tones] ?? 'grey'}>
        {quotationStatus.label(detail.status)}
      </State>
      {detail.expired && <State tone="bad">已过期</State>}
    </>
  )
}
function Saved({ state }: { state: SaveState }) {
  const words = {
    saved: () => (state.kind === 'saved' && state.at !== null ? `已保存 ${clock(state.at)}` : '已保存'),
    saving: () => '正在保存…',
    unsaved: () => `未保存：${state.kind === 'unsaved' ? state.why : ''}`,
  }
  return (
    <span role="status" className={`save-state ${state.kind}`}>
      {words[state.kind]()}
    </span>
  )
}
function After({ sum, seesCosts }: { sum: Summed; seesCosts: boolean }) {
  return (
    <dl className="quote-after">
      <div>
        <dt>每平米</dt>
        <dd>
          <Figure text={sum.perSquareMetre === null ? '--' : grouped(sum.perSquareMetre)} />
        </dd>
      </div>
      <div>
        <dt>其中税</dt>
        <dd>
          <Figure text={grouped(sum.tax)} />
        </dd>
      </div>
      {sum.belowLines > 0 && (
        <div title="单价低于商品库售价的部分，已经在增项和部分调整里">
          <dt>低于售价 {sum.belowLines} 行</dt>
          <dd className="late">
            −<Figure text={grouped(sum.below)} />
          </dd>
        </div>
      )}
      {seesCosts && (
        <div>
          <dt>毛利率</dt>
          <dd>{sum.uncosted > 0 ? `成本不全 ${sum.uncosted} 行` : `${sum.margin ?? '--'}%`}</dd>
        </div>
      )}
    </dl>
  )
}
/** What should be put right before it is submitted. */
function Warnings({
  detail,
  misfit,
  frozen,
  fit,
}: {
  detail: QuotationDetail
  misfit: number
  writing: Writing
  frozen: string | undefined
  fit: () => void
}) {
  const { package: sold } = detail
  if (frozen !== undefined) return null
  return (
    <>
      {misfit > 0 && (
        <p className="quote-warning" role="status">
          房间改过以后，套餐里有 {misfit} 行和房间不一致。
          <button className="text-button" onClick={fit}>
            按房间重算
          </button>
        </p>
      )}
      {sold?.ended && (
        <p className="quote-warning" role="status">
          {sold.ended}
          {sold.newer && `；现在的是 v${sold.newer.number}，在“套餐”里换`}
        </p>
      )}
    </>
  )
}

export default withControls(QuotationEditPage)
