import { useQuery } from '@tanstack/react-query'
import type { CustomerRow } from '@zhuguan/contract/features/customers/customers.record.ts'
import { linkKind } from '@zhuguan/contract/features/links/links.record.ts'
import { previewsApi } from '@zhuguan/contract/features/shares/previews.api.ts'
import { previewItemKind } from '@zhuguan/contract/features/shares/previews.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { Drawer, Segmented } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { usePage } from '../../kit/page.tsx'
import { type Shared, ShareForm } from '../../parts/sharing/ShareDrawer.tsx'
import CustomerChoice from './CustomerChoice.tsx'

const { case: cases, quotation } = previewItemKind.code
type What = typeof cases | typeof quotation
const KIND = { [cases]: linkKind.code.share, [quotation]: linkKind.code.quotation } as const
const NONE: Record<What, string> = {
  case: '还没有业主同意用链接分享、并且已经上架的案例。',
  quotation: '这位客户没有审核通过、还在有效期内的报价。',
}

/** The person whom it is for, what is sent, and then the link. */
export default function NewShareDrawer({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const page = usePage()
  const [customer, setCustomer] = useState<CustomerRow | null>(null)
  const [kind, setKind] = useState<What>(cases)
  const [shared, setShared] = useState<Shared | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: [previewsApi.choices.path, customer?.id, kind],
    enabled: customer !== null,
    queryFn: ({ signal }) =>
      call(previewsApi.choices, { query: { customer_id: customer!.id, kind } }, signal),
  })
  return (
    <Drawer open title="新建分享" size="min(640px, 100vw)" onClose={onClose}>
      {shared ? (
        <ShareForm shared={shared} onMade={onMade} />
      ) : (
        <>
          <CustomerChoice value={customer} onPick={setCustomer} />
          {customer && (
            <>
              <p>
                <Segmented
                  value={kind}
                  onChange={setKind}
                  options={[
                    { value: cases, label: '一个案例' },
                    { value: quotation, label: '一份报价' },
                  ]}
                />{' '}
                <button
                  className="text-button"
                  onClick={() => page.go(linkTo('customPreview', { customer_id: customer.id }))}
                >
                  要发几样东西，去编排客户预览
                </button>
              </p>
              {error && <Failed error={error} again={() => void refetch()} />}
              {data?.length === 0 && <p className="quiet">{NONE[kind]}</p>}
              <div className="share-choices">
                {data?.map((c) => (
                  <button
                    key={c.target_id}
                    onClick={() =>
                      setShared({
                        kind: KIND[kind],
                        target_id: c.target_id,
                        title: c.title,
                        customer_id: customer.id,
                        person: customer.name,
                        needsPassword: kind === quotation,
                      })
                    }
                  >
                    <b>{c.title}</b>
                    <small>{c.detail}</small>
                  </button>
                ))}
              </div>
            </>
          )}
        </>
      )}
    </Drawer>
  )
}
