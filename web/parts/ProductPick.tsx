import { productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import { wordsOfProduct } from '@zhuguan/contract/features/products/products.record.ts'
import { priceText } from '@zhuguan/contract/kit/digits.ts'
import { Select } from 'antd'
import { useEffect, useRef, useState } from 'react'

import { call } from '../kit/api.ts'

/** A product as it is chosen: what it is called and what a unit of it is. */
export interface Picked {
  id: string
  name: string
  detail: string
  unit: string
}
const PAUSE_MS = 250

/** The products of a branch, looked up while typing; the choice is handed over and the field is empty again. */
export function ProductPick({
  bc,
  label,
  placeholder = '输入编码、名称或型号查找商品',
  onPick,
}: {
  bc: string | null
  label: string
  placeholder?: string
  onPick: (product: Picked) => void
}) {
  const [found, setFound] = useState<readonly (Picked & { text: string })[] | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const search = (keyword: string) =>
    void call(productsApi.pick, { query: { keyword, bc_id: bc ?? undefined } }).then(
      (rows) =>
        setFound(
          rows.map((p) => ({
            id: p.id,
            name: p.name,
            detail: wordsOfProduct(p),
            unit: p.unit,
            text: [
              `${p.code} ${p.name} ${wordsOfProduct(p)}`,
              p.price === null ? '' : `${priceText(p.price)}/${p.unit}`,
            ].join(' '),
          })),
        ),
      () => setFound([]),
    )
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <Select
      className="wide"
      virtual={false}
      aria-label={label}
      placeholder={placeholder}
      value={null}
      notFoundContent={found ? '没有找到已上架、有价格的商品' : '正在查找…'}
      showSearch={{
        filterOption: false,
        onSearch: (text) => {
          clearTimeout(timer.current)
          timer.current = setTimeout(() => search(text), PAUSE_MS)
        },
      }}
      onOpenChange={(open) => open && !found && search('')}
      options={(found ?? []).map((p) => ({ value: p.id, label: p.text }))}
      onChange={(id: string | null) => {
        const picked = found?.find((p) => p.id === id)
        if (picked) onPick(picked)
      }}
    />
  )
}
