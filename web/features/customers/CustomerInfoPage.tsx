import { useQuery } from '@tanstack/react-query'
import { noticeWords } from '@zhuguan/contract/features/consents/notices.record.ts'
import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import {
  contactRelation,
  type CustomerDetail,
  customerHeld,
  type CustomerLine,
  customerSource,
  customerStep,
} from '@zhuguan/contract/features/customers/customers.record.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { DEFAULT_TAX, VALID_DAYS } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useState } from 'react'

import { recordBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { usePage, usePageName, useParam } from '../../kit/page.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { dayOf, full, nowSeconds } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { useActor, useMayOpen, useMayReach } from '../../parts/session.ts'
import { CustomerBrief } from './CustomerBrief.tsx'
import { CustomerPhone } from './CustomerPhone.tsx'
import { nextOf, StepOf } from './customerTable.tsx'
import type { OpenedFollow } from './FollowDrawers.tsx'
import { type Asking, mayEdit, useCustomerActions } from './useCustomerActions.ts'

import './customers.css'

const CustomerDrawers = lazyPart(() => import('./CustomerDrawers.tsx'))
const FollowDrawers = lazyPart(() => import('./FollowDrawers.tsx'))
const ContactDrawer = lazyPart(() => import('./ContactDrawer.tsx'))
const DAY = 86_400

/** Fetched when a link to the record is pressed. */
export const ahead = recordBy(customersApi.details)

/** One customer: who they are, what has happened with them, what comes next. */
export default function CustomerInfoPage() {
  const id = useParam('id') ?? ''
  const page = usePage()
  const { data, error, refetch } = useQuery({
    queryKey: [customersApi.details.path, id],
    enabled: id !== '',
    queryFn: ({ signal }) => call(customersApi.details, { query: { id } }, signal),
  })
  const [opened, setOpened] = useState<Asking | null>(null)
  const [follow, setFollow] = useState<OpenedFollow | null>(null)
  const [adding, setAdding] = useState(false)
  const again = () => void refetch()
  usePageName(data?.name)
  if (!id) return <NoSubject what="客户" from="客户线索" />
  if (error) return <Failed error={error} again={again} />
  if (!data) return <div className="page-wait" aria-busy="true" />
  const ask = (a: Asking) =>
    a.kind === 'follow' || a.kind === 'plan' ? setFollow({ kind: a.kind, customer: data }) : setOpened(a)
  return (
    <div className="customer-info">
      <div className="customer-side">
        <Head customer={data} ask={ask} onDone={again} />
        <Lines lines={data.lines} />
      </div>
      <div className="customer-side">
        <People customer={data} add={() => setAdding(true)} onDone={again} />
        <CustomerBrief customer={data} />
        <Alike customer={data} />
        <Near customer={data} />
      </div>
      {opened && (
        <CustomerDrawers
          opened={opened}
          onClose={() => setOpened(null)}
          onDone={again}
          onMade={(made) => page.go(linkTo('CustomerInfo', { id: made }))}
        />
      )}
      {follow && <FollowDrawers opened={follow} onClose={() => setFollow(null)} onDone={again} />}
      {adding && <ContactDrawer customer={data} onClose={() => setAdding(false)} onDone={again} />}
    </div>
  )
}

/** An address that begins with its community says it once. */
const homeOf = ({ address, community }: CustomerDetail): string =>
  address.startsWith(community) ? address || community : [community, address].filter(Boolean).join(' ')
interface Part {
  customer: CustomerDetail
  onDone: () => void
}
/** A sheet for this customer, empty but for the area; for whoever writes quotations. */
function useQuote(k: CustomerDetail): RowAction[] {
  const page = usePage()
  const actor = useActor()
  const mayOpen = useMayOpen('QuotationEdit')
  if (!mayOpen || !hasPermission(actor, 'quotation:edit') || k.held === customerHeld.code.lost) return []
  return [
    {
      key: 'quote',
      label: '新建报价',
      run: async () => {
        const content = {
          package_id: null,
          area: k.area ?? '0',
          taxPercent: DEFAULT_TAX,
          validUntil: dayOf(nowSeconds() + VALID_DAYS * DAY),
          remark: '',
          rooms: [],
          lines: [],
          discounts: [],
        }
        const { id } = await call(quotationsApi.add, { body: { customer_id: k.id, content } })
        page.go(linkTo('QuotationEdit', { id }))
      },
    },
  ]
}

function Head({ customer: k, ask, onDone }: Part & { ask: (a: Asking) => void }) {
  const actionsOf = useCustomerActions(ask)
  const quote = useQuote(k)
  const [first, ...rest] = actionsOf(k)
  return (
    <section className="card section">
      <h2>
        {k.name} <StepOf row={k} />
        <span className="owner-tools">
          <RowActions actions={[...(first ? [first] : []), ...quote, ...rest]} onDone={onDone} shown={4} />
          <LogLink object="customer" id={k.id} />
        </span>
      </h2>
      <Facts>
        <Fact name="电话">
          <CustomerPhone customer={k} />
        </Fact>
        <Fact name="下次跟进">{nextOf(k)}</Fact>
        <Fact name="小区">{homeOf(k) || '--'}</Fact>
        <Fact name="最近跟进">{k.followedAt ? full(k.followedAt) : '--'}</Fact>
        <Fact name="面积">{k.area ? `${k.area} ㎡` : '--'}</Fact>
        <Fact name="顾问">
          {k.consultantName || '还没有'} <small className="quiet">{k.why}</small>
        </Fact>
        <Fact name="预算">{k.budget ? `${grouped(k.budget)} 元` : '--'}</Fact>
        <Fact name="门店">{k.storeName || k.bc_name}</Fact>
        <Fact name="风格">{k.style || '--'}</Fact>
        <Fact name="来源">
          {customerSource.label(k.source)}
          {k.introducer_id && (
            <>
              {'，'}
              <LinkTo page="CustomerInfo" query={{ id: k.introducer_id }}>
                {k.introducerName}
              </LinkTo>
              介绍
            </>
          )}
        </Fact>
        <Fact name="登记">
          {full(k.createdAt)}
          <small className="quiet">{`　${noticeWords(k.notice)}`}</small>
        </Fact>
        {k.introduced.n > 0 && (
          <Fact name="介绍来的">{`${k.introduced.n} 位，签约 ${k.introduced.signed} 位`}</Fact>
        )}
        {k.backDue !== null && k.step < customerStep.code.deposit && (
          <Fact name="退回公海">{full(k.backDue)} 之前没有跟进就退回</Fact>
        )}
        {k.merged.length > 0 && <Fact name="并入的">{k.merged.join('、')}</Fact>}
      </Facts>
    </section>
  )
}

const PAGE_OF = { quotation: 'QuotationEdit', contract: 'ContractDetail', site: 'SiteInfo' } as const
function Place({ line }: { line: CustomerLine }) {
  const name =
    line.kind === 'quotation' || line.kind === 'contract' || line.kind === 'site' ? PAGE_OF[line.kind] : null
  const may = useMayReach(name ?? 'CustomerInfo')
  if (!name || !line.ref || !may) return <>{line.text}</>
  return (
    <LinkTo page={name} query={{ id: line.ref }}>
      {line.text}
    </LinkTo>
  )
}
function Lines({ lines }: { lines: readonly CustomerLine[] }) {
  return (
    <section className="card section">
      <h2>经过</h2>
      <ol className="log">
        {lines.map((l, i) => (
          <li key={i} className={l.at > nowSeconds() ? 'quiet' : undefined}>
            <b>{l.title}</b>{' '}
            <small>
              {l.actor && `${l.actor} · `}
              {full(l.at)}
            </small>
            {l.text && (
              <p>
                <Place line={l} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

function People({ customer: k, add, onDone }: Part & { add: () => void }) {
  const actor = useActor()
  const theirs = mayEdit(k, actor)
  return (
    <section className="card section">
      <h2>
        家里其他人
        <span className="owner-tools">
          <RowActions
            actions={theirs ? [{ key: 'add', label: '新增联系人', open: add }] : []}
            onDone={onDone}
          />
        </span>
      </h2>
      {k.contacts.length === 0 && <p className="quiet">只有一个电话。夫妻是一位客户的两个联系人。</p>}
      <ul className="customer-contacts">
        {k.contacts.map((c) => (
          <li key={c.id}>
            <span>
              {c.name} <small className="quiet">{contactRelation.label(c.relation)}</small>
            </span>
            <CustomerPhone customer={k} contact={c} />
            <RowActions
              actions={
                theirs
                  ? [
                      {
                        key: 'drop',
                        label: '移除',
                        reason: true,
                        danger: true,
                        confirm: `移除联系人 ${c.name}：这个电话不再认得出来。请写明原因`,
                        run: (reason) =>
                          call(customersApi.dropContact, {
                            body: { id: k.id, version: k.version, contact_id: c.id, reason },
                          }),
                      },
                    ]
                  : []
              }
              onDone={onDone}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Alike({ customer: k }: { customer: CustomerDetail }) {
  if (k.alike.length === 0) return null
  return (
    <section className="card section">
      <h2>可能是同一户</h2>
      <ul className="customer-contacts">
        {k.alike.map((other) => (
          <li key={other.id}>
            <LinkTo page="CustomerInfo" query={{ id: other.id }}>
              {other.name}
            </LinkTo>
            <small className="quiet">
              {[other.why, other.storeName, other.consultantName].filter(Boolean).join(' · ')}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Near({ customer: k }: { customer: CustomerDetail }) {
  const maySites = useMayReach('SiteList')
  const all = k.near.reduce((sum, w) => sum + w.n, 0)
  return (
    <section className="card section">
      <h2>附近在建工地</h2>
      {all === 0 && (
        <p className="quiet">
          {k.community ? `${k.community} 现在没有在建工地` : '填了小区才知道附近有没有在建工地'}
        </p>
      )}
      {all > 0 && (
        <p className="customer-near">
          {k.community} 在建{' '}
          {maySites ? (
            <LinkTo page="SiteList" query={{ keyword: k.community }}>
              {all} 户
            </LinkTo>
          ) : (
            `${all} 户`
          )}
          ：{k.near.map((w) => `${w.stage ? siteStage.label(w.stage) : '阶段之间'} ${w.n}`).join('、')}
        </p>
      )}
    </section>
  )
}
