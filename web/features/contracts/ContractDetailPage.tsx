import { useQuery } from '@tanstack/react-query'
import { noticeWords } from '@zhuguan/contract/features/consents/notices.record.ts'
import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import {
  type ContractDetail,
  contractFileKind,
  contractState,
} from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { useEffect, useState } from 'react'

import { recordBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { usePageName, useParam } from '../../kit/page.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { full } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { savePaper } from '../../parts/PapersField.tsx'
import { useMayOpen, useMayReach } from '../../parts/session.ts'
import { ContractChanges } from './ContractChanges.tsx'
import { ContractItems } from './ContractItems.tsx'
import { ContractMoney, PaymentPlan } from './ContractMoney.tsx'
import { ContractPdf } from './ContractPdf.tsx'
import { isNothing, moneyOr, placeOf, StandingOf } from './contractStates.tsx'
import { FinalBill, Realised } from './FinalBill.tsx'
import { type OpenedContract, useContractActions } from './useContractActions.ts'

import '../../kit/plainTable.css'
import './contracts.css'

const ContractDrawers = lazyPart(() => import('./ContractDrawers.tsx'))

/** Fetched when a link to the record is pressed. */
export const ahead = recordBy(contractsApi.details)

/** All of one contract: what was sold, what is paid and due, what was changed. */
export default function ContractDetailPage() {
  const id = useParam('id') ?? ''
  const {
    data: contract,
    error,
    refetch,
  } = useQuery({
    queryKey: [contractsApi.details.path, id],
    enabled: id !== '',
    queryFn: ({ signal }) => call(contractsApi.details, { query: { id } }, signal),
  })
  const [opened, setOpened] = useState<OpenedContract | null>(null)
  const actionsOf = useContractActions(setOpened)
  usePageName(contract?.code)
  const again = () => void refetch()
  const asked = useParam('open')
  useEffect(() => {
    // A decision of the owner's leads here: the change is there to be written, where it may be.
    if (asked !== 'change' || !contract) return
    actionsOf(contract)
      .find((a) => a.key === 'change' && !a.why)
      ?.open?.()
  }, [asked, contract?.id])
  useLive(['contract'], () => refetch(), { only: (e) => e.id === id })
  if (!id) return <NoSubject what="合同" from="合同管理" />
  if (error) return <Failed error={error} again={again} />
  if (!contract) return <div className="page-wait" aria-busy="true" />
  return (
    <div className="contract-page">
      <section className="card section">
        <header className="contract-top">
          <h2>
            {contract.code} {contract.customerName} <StandingOf of={contract} />
          </h2>
          <span className="contract-tools screen-only">
            <RowActions bar actions={actionsOf(contract)} onDone={again} shown={4} />
            <ContractPdf of={contract} paper="contract" />
            <LogLink object="contract" id={contract.id} />
          </span>
        </header>
        <Head of={contract} />
        <Figures of={contract} />
      </section>
      {contract.settlement && <Settling of={contract} />}
      {contract.bill && <FinalBill of={contract} />}
      <div className="two contract-two">
        <ContractMoney of={contract} onDone={again} />
        <PaymentPlan of={contract} />
      </div>
      {contract.realised && <Realised of={contract} />}
      <ContractItems of={contract} />
      <ContractChanges
        of={contract}
        onEdit={(change) => setOpened({ kind: 'change', contract, change })}
        onDone={again}
      />
      <Files of={contract} />
      {opened && <ContractDrawers {...opened} onClose={() => setOpened(null)} onDone={again} />}
    </div>
  )
}

function Head({ of: c }: { of: ContractDetail }) {
  const maySite = useMayReach('SiteInfo')
  const mayQuote = useMayOpen('QuotationEdit')
  const quoted = `${c.quotationCode}${c.signedNumber === null ? '' : ` v${c.signedNumber}`}`
  return (
    <Facts>
      <Fact name="客户">
        {c.customerName} {c.phone}
      </Fact>
      <Fact name="地址">{placeOf(c)}</Fact>
      <Fact name="分公司">{[c.bc_name, c.storeName].filter(Boolean).join(' ')}</Fact>
      <Fact name="套餐">{c.packageName && `${c.packageName}，${c.area} ㎡`}</Fact>
      <Fact name="报价单">
        {mayQuote ? (
          <LinkTo page="QuotationEdit" query={{ id: c.quotation_id, v: c.signedNumber }}>
            {quoted}
          </LinkTo>
        ) : (
          quoted
        )}
      </Fact>
      <Fact name="工地">
        {c.site_id && c.ws_name && maySite ? (
          <LinkTo page="SiteInfo" query={{ id: c.site_id }}>
            {c.ws_name}
          </LinkTo>
        ) : (
          c.ws_name
        )}
      </Fact>
      <Fact name="签约">
        {c.signedOn && `${c.signedOn}，${c.signer}（经办 ${c.signedBy}），${noticeWords(c.notice)}`}
      </Fact>
      <Fact name="税额">{`${grouped(c.tax)} 元（税率 ${c.taxPercent}%）`}</Fact>
      {c.voidReason && <Fact name="作废原因">{c.voidReason}</Fact>}
    </Facts>
  )
}
function Figures({ of: c }: { of: ContractDetail }) {
  const changed = c.changes > 0 ? `含 ${c.changes} 次变更` : '签约金额'
  return (
    <dl className="contract-figures">
      <div>
        <dt>合同额（元）</dt>
        <dd>
          {grouped(c.total)}
          <small>{c.signedOn === null ? '按报价，签约后确定' : changed}</small>
        </dd>
      </div>
      <div>
        <dt>已收</dt>
        <dd>{moneyOr(c.paid)}</dd>
      </div>
      <div>
        <dt>{c.state === contractState.code.live ? '已到期' : '应收'}</dt>
        <dd>{moneyOr(c.due)}</dd>
      </div>
      <div>
        <dt>欠款</dt>
        <dd>{moneyOr(c.owed)}</dd>
      </div>
      <div>
        <dt>逾期</dt>
        <dd className={isNothing(c.overdue) ? undefined : 'late'}>
          {moneyOr(c.overdue)}
          <small>到期后 {c.payDays} 天内不算</small>
        </dd>
      </div>
      <div>
        <dt>应退客户</dt>
        <dd className={isNothing(c.back) ? undefined : 'late'}>
          {moneyOr(c.back)}
          {c.refunding && <small>退款待审核</small>}
        </dd>
      </div>
    </dl>
  )
}

function balanceText(balance: string): string {
  if (isNothing(balance)) return '已结平'
  return balance.startsWith('-')
    ? `应退客户 ${grouped(balance.slice(1))} 元`
    : `客户应补 ${grouped(balance)} 元`
}
function Settling({ of: c }: { of: ContractDetail }) {
  const s = c.settlement!
  return (
    <section className="card section">
      <h2>终止结算</h2>
      <Facts>
        <Fact name="原因">{s.reason}</Fact>
        <Fact name="办理">{`${s.by} ${full(s.at)}`}</Fact>
        <Fact name="结算金额">{grouped(s.value)} 元</Fact>
        <Fact name="钱款">{balanceText(s.balance)}</Fact>
        <Fact name="设备">{s.devices > 0 ? `${s.devices} 台待回收` : '已全部收回'}</Fact>
        <Fact name="结清">{s.closedAt === null ? '未结清' : full(s.closedAt)}</Fact>
      </Facts>
    </section>
  )
}
function Files({ of: c }: { of: ContractDetail }) {
  return (
    <section className="card section screen-only">
      <h2>
        附件 <small>{c.files.length} 个</small>
      </h2>
      {c.files.length === 0 && <p className="quiet">还没有附件。</p>}
      <ul className="contract-files">
        {c.files.map((f) => (
          <li key={f.id}>
            <button
              className="button"
              title={`${f.by} ${full(f.at)}`}
              onClick={() => void savePaper({ key: f.key, name: `${c.code} ${f.name}` })}
            >
              {f.name} <small>{contractFileKind.label(f.kind)}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
