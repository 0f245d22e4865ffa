import { useQuery, useQueryClient } from '@tanstack/react-query'
import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import type { CustomerRow } from '@zhuguan/contract/features/customers/customers.record.ts'
import { linkKind } from '@zhuguan/contract/features/links/links.record.ts'
import { previewsApi } from '@zhuguan/contract/features/shares/previews.api.ts'
import {
  type PreviewDetail,
  previewItemKind,
  previewState,
} from '@zhuguan/contract/features/shares/previews.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { message } from '../../kit/notices.ts'
import { usePage } from '../../kit/page.tsx'
import { State } from '../../kit/State.tsx'
import { short } from '../../kit/time.ts'
import { casePictureAt } from '../../parts/casePicture.ts'
import { Granted } from '../../parts/granted.tsx'
import { SharedView } from '../../parts/shared/SharedView.tsx'
import type { Shared } from '../../parts/sharing/ShareDrawer.tsx'

import '../../parts/sharing/sharing.css'
import './customPreview.css'

const PreviewEditor = lazyPart(() => import('./PreviewEditor.tsx'))
const ShareDrawer = lazyPart(() => import('../../parts/sharing/ShareDrawer.tsx'))
const CustomerChoice = lazyPart(() => import('./CustomerChoice.tsx'))
const nothing = () => {}
const { draft, ended } = previewState.code

const sharedOf = (v: PreviewDetail): Shared => ({
  kind: linkKind.code.preview,
  target_id: v.id,
  title: v.title,
  customer_id: v.customer_id,
  person: v.customerName,
  needsPassword: v.items.some((i) => i.kind === previewItemKind.code.quotation && i.droppedFor === ''),
})

/** A picture as staff may see it; one that its people agreed to for links alone is for the customer's telephone. */
function Shot({ of: key, title }: { of: string; title: string }) {
  const [isAway, setAway] = useState(false)
  if (isAway) return <span className="owner-picture quiet">{title}（只在客户的链接里看得到）</span>
  return <img src={casePictureAt(key, 'medium')} alt={title} onError={() => setAway(true)} />
}

/** What is composed, as its customer sees it on a telephone. */
function Phone({ id, version }: { id: string; version: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: [previewsApi.shown.path, id, version],
    queryFn: ({ signal }) => call(previewsApi.shown, { query: { id } }, signal),
  })
  if (error) return <Failed error={error} again={() => void refetch()} />
  return (
    <div className="preview-phone" aria-label="客户手机上的样子">
      {data && (
        <SharedView
          isDraft
          page={data}
          look={nothing}
          picture={(key, title) => <Shot key={key} of={key} title={title} />}
        />
      )}
    </div>
  )
}

function Recent({ customer, onOpen }: { customer: string | undefined; onOpen: (id: string) => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: [previewsApi.list.path, customer],
    queryFn: ({ signal }) => call(previewsApi.list, { query: { customer_id: customer } }, signal),
  })
  useLive(['share'], () => void refetch())
  if (error) return <Failed error={error} again={() => void refetch()} />
  return (
    <section>
      <h2>{customer ? '给这位客户的' : '最近的'}</h2>
      {data?.length === 0 && <p className="quiet">还没有编排过。先选客户，再放内容。</p>}
      <div className="share-choices">
        {data?.map((v) => (
          <button key={v.id} onClick={() => onOpen(v.id)}>
            <b>
              {v.customerName}　{v.title}{' '}
              <State tone={v.state === draft || v.state === ended ? 'grey' : 'ok'}>
                {previewState.label(v.state)}
              </State>
            </b>
            <small>
              {v.makerName} {short(v.changedAt)}，{v.items} 项内容，打开 {v.openings} 次
            </small>
          </button>
        ))}
      </div>
    </section>
  )
}

/** Cases, homes nearby, a package and a quotation for one customer: composed, seen as on a telephone, sent, revised. */
export default function CustomPreviewPage() {
  const page = usePage()
  const client = useQueryClient()
  const asked = new URLSearchParams(page.search)
  const id = asked.get('id') ?? ''
  const customerId = asked.get('customer_id') ?? ''
  // Here and not in what is edited: sending changes that, and the password is shown this once.
  const [sending, setSending] = useState(false)
  const go = (to: { id?: string; customer_id?: string }) => page.go(linkTo('customPreview', to))
  const customer = useQuery({
    queryKey: [customersApi.pick.path, customerId],
    enabled: customerId !== '',
    queryFn: async ({ signal }) =>
      (await call(customersApi.pick, { query: { id: customerId } }, signal))[0] ?? null,
  })
  const opened = useQuery({
    queryKey: [previewsApi.details.path, id],
    enabled: id !== '',
    queryFn: ({ signal }) => call(previewsApi.details, { query: { id } }, signal),
  })
  const refresh = () => client.invalidateQueries({ queryKey: [previewsApi.details.path, id] })
  useLive(['share', 'case'], () => void refresh())
  async function begin(k: CustomerRow) {
    try {
      go(await call(previewsApi.add, { body: { customer_id: k.id, title: '', words: '', items: [] } }))
    } catch (error) {
      message.error((error as Error).message)
    }
  }
  const failed = opened.error ?? customer.error
  if (failed) return <Failed error={failed} again={() => void refresh()} />
  const v = opened.data
  return (
    <div className="custom-preview">
      <header>
        <h1>客户预览</h1>
        {v && (
          <span>
            {v.customerName}{' '}
            <State tone={v.state === draft || v.state === ended ? 'grey' : 'ok'}>
              {previewState.label(v.state)}
            </State>
          </span>
        )}
        {id && (
          <button className="button" onClick={() => go({})}>
            换一位客户
          </button>
        )}
      </header>
      {!id && (
        <main>
          <Granted needs="preview:edit">
            <section className="preview-pick">
              <h2>给谁看</h2>
              <CustomerChoice value={customer.data ?? null} onPick={(k) => go({ customer_id: k.id })} />
              {customer.data && (
                <button className="button primary" onClick={() => void begin(customer.data!)}>
                  给{customer.data.name}新编一份
                </button>
              )}
            </section>
          </Granted>
          <Recent customer={customerId || undefined} onOpen={(one) => go({ id: one })} />
        </main>
      )}
      {v && (
        <main className="preview-open">
          <PreviewEditor
            key={`${v.id} ${v.version}`}
            of={v}
            onDone={() => void refresh()}
            onSend={() => setSending(true)}
          />
          <Phone id={v.id} version={v.version} />
        </main>
      )}
      {v && sending && <ShareDrawer shared={sharedOf(v)} onClose={() => setSending(false)} />}
    </div>
  )
}
