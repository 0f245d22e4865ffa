import { DUE_SOON } from '@zhuguan/contract/features/contracts/receipts.record.ts'
import type { ReactNode } from 'react'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { usePage, useParam } from '../../kit/page.tsx'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { Dues } from './Dues.tsx'
import { Flows } from './Flows.tsx'

import './contracts.css'

const VIEWS = {
  due: ['应收', () => `?view=due&unpaid=true&when=${DUE_SOON.join(',')}`],
  flow: ['流水', () => `?view=flow&from=${today()}&to=${today()}`],
} as const
const today = () => dayOf(nowSeconds())

/** Money to be taken, and money that was taken and given back; it opens on today. */
export default function ReceiptListPage() {
  const page = usePage()
  const view = useParam('view')
  const shown = view === 'flow' ? 'flow' : 'due'
  const views: ReactNode = (
    <>
      <span className="switch" role="group" aria-label="应收或流水">
        {(['due', 'flow'] as const).map((v) => (
          <button
            key={v}
            aria-pressed={v === shown}
            onClick={() => page.go(page.path + VIEWS[v][1](), { replace: true })}
          >
            {VIEWS[v][0]}
          </button>
        ))}
      </span>
      <LinkTo page="ContractList" query={{ back: 'true' }} className="button">
        应退客户
      </LinkTo>
    </>
  )
  return shown === 'flow' ? <Flows views={views} /> : <Dues views={views} isPlain={!view} />
}
