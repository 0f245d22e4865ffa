import { useQuery, useQueryClient } from '@tanstack/react-query'
import { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import { type PackageRow, packageStatus } from '@zhuguan/contract/features/packages/packages.record.ts'
import {
  quotationContent,
  type QuotationDetail,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { priceText } from '@zhuguan/contract/kit/digits.ts'
import { MAX_PAGE_SIZE } from '@zhuguan/contract/kit/paging.ts'
import { Select } from 'antd'
import { type ReactNode, useEffect, useId, useState } from 'react'

import { call, callAddressed } from '../../kit/api.ts'
import { shapeOf } from '../../kit/no-schemas.ts'
import { message } from '../../kit/notices.ts'
import { checked } from '../../kit/sheet/checked.ts'
import { refusedIn, type Refused } from '../../kit/sheet/column.ts'
import type { Written } from './document.ts'
import { withoutPackage, withPackage } from './packageFit.ts'

interface Props {
  written: Written
  frozen: boolean
  write: (change: (now: Written) => Written) => void
  /** What the package puts in is worked out by the server at once. */
  save: () => void
}
const shape = shapeOf(quotationContent)

/** One value of the head: kept when it is left or Enter is pressed, as in a cell; what is refused does not stay. */
function HeadField({
  label,
  unit,
  type = 'text',
  value,
  check,
  frozen,
  onPut,
}: {
  label: string
  unit?: string
  type?: 'text' | 'date'
  value: string
  check: (text: string) => { value: string } | Refused
  frozen: boolean
  onPut: (value: string) => void
}) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [fault, setFault] = useState<string>()
  useEffect(() => setTyped(null), [value])
  const keep = () => {
    if (typed === null || typed === value) return setTyped(null)
    const answer = check(typed)
    const no = refusedIn(answer)
    setFault(no)
    if (no !== undefined) return
    setTyped(null)
    onPut((answer as { value: string }).value)
  }
  return (
    <div className="head-field">
      <label htmlFor={id}>{label}</label>
      {frozen ? (
        <span id={id}>
          {value} {unit}
        </span>
      ) : (
        <span className="head-control">
          <input
            id={id}
            className="input"
            type={type}
            value={typed ?? value}
            aria-invalid={fault !== undefined}
            autoComplete="off"
            onChange={(e) => {
              setTyped(e.target.value)
              setFault(undefined)
            }}
            onBlur={keep}
            onKeyDown={(e) => {
              if (e.key === 'Enter') keep()
              if (e.key !== 'Escape') return
              setTyped(null)
              setFault(undefined)
            }}
          />
          {unit && <small>{unit}</small>}
        </span>
      )}
      {fault !== undefined && <em role="alert">{fault}</em>}
    </div>
  )
}

const packageText = (p: Pick<PackageRow, 'name' | 'number' | 'perSquareMetre' | 'leastArea'>): string =>
  `${p.name} v${p.number}（${priceText(p.perSquareMetre)} 元/㎡，${p.leastArea} ㎡ 起）`
/** The products for this branch today, and the values that the quotation was begun with. */
function PackageSelect({ bc, written, write, save }: Props & { bc: string }) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const { data } = useQuery({
    queryKey: [packagesApi.list.path, 'sold'],
    queryFn: ({ signal }) =>
      callAddressed(
        packagesApi.list,
        { status: `${packageStatus.code.published}`, pageSize: MAX_PAGE_SIZE },
        signal,
      ),
  })
  const sold = (data?.list ?? []).filter((p) => !p.expired && (p.bc_id === null || p.bc_id === bc))
  const options = sold.map((p) => ({ value: p.id, label: packageText(p) }))
  const own = written.sold
  if (own && !options.some((o) => o.value === own.id))
    options.unshift({ value: own.id, label: packageText(own) })
  const choose = async (id: string | undefined) => {
    if (!id) return write(withoutPackage)
    setBusy(true)
    try {
      const detail = await client.fetchQuery({
        queryKey: [packagesApi.details.path, id],
        queryFn: ({ signal }) => call(packagesApi.details, { query: { id } }, signal),
      })
      write((now) => withPackage(now, detail))
      // After it stands on the page.
      setTimeout(save)
    } catch (error) {
      message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Select
      className="head-package"
      aria-label="套餐"
      virtual={false}
      showSearch={{ optionFilterProp: 'label' }}
      allowClear
      loading={busy}
      placeholder="不用套餐，逐项报价"
      value={own?.id}
      options={options}
      onChange={(id?: string) => void choose(id)}
    />
  )
}

/** The customer, the package, the size, the last day. */
export function QuotationHead({
  detail,
  customer,
  ...p
}: Props & { detail: QuotationDetail; customer: ReactNode }) {
  const { written: w, write, frozen } = p
  const put = (change: Partial<Written>) => write((now) => ({ ...now, ...change }))
  return (
    <div className="quote-facts">
      <div className="head-field">
        <label>客户</label>
        {customer}
      </div>
      <div className="head-field wide">
        <label>套餐</label>
        {frozen ? (
          <span>{w.sold ? packageText(w.sold) : '没有套餐'}</span>
        ) : (
          <PackageSelect {...p} bc={detail.bc_id} />
        )}
      </div>
      <HeadField
        label="面积"
        unit="㎡"
        value={w.area}
        check={checked(shape.area, '0')}
        frozen={frozen}
        onPut={(area) => put({ area })}
      />
      <HeadField
        label="有效期至"
        type="date"
        value={w.validUntil}
        check={checked(shape.validUntil)}
        frozen={frozen}
        onPut={(validUntil) => put({ validUntil })}
      />
      <HeadField
        label="税率"
        unit="%"
        value={w.taxPercent}
        check={checked(shape.taxPercent, '0')}
        frozen={frozen}
        onPut={(taxPercent) => put({ taxPercent })}
      />
      <HeadField
        label="说明"
        value={w.remark}
        check={checked(shape.remark)}
        frozen={frozen}
        onPut={(remark) => put({ remark })}
      />
    </div>
  )
}
