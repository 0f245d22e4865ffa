import { storesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import { companyStatus, type StoreRow } from '@zhuguan/contract/features/companies/companies.record.ts'
import { Input, Select } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { AskDrawer, Field } from '../../kit/AskDrawer.tsx'
import { useBranches } from '../../parts/places.tsx'

const LABEL = {
  name: '门店',
  address: '地址',
  principal: '店长',
  phone: '电话',
  lng: '经度（GCJ-02）',
  lat: '纬度（GCJ-02）',
} as const
type Key = keyof typeof LABEL

export default function StoreDrawer({
  store,
  ...p
}: {
  store: StoreRow | null
  onClose: () => void
  onDone: () => void
}) {
  const branches = useBranches()
  const [facts, setFacts] = useState<Record<Key, string>>(
    () =>
      Object.fromEntries((Object.keys(LABEL) as Key[]).map((k) => [k, String(store?.[k] ?? '')])) as Record<
        Key,
        string
      >,
  )
  const [bc, setBc] = useState(store?.bc_id)
  const [status, setStatus] = useState(store?.status ?? 1)
  const bc_id = bc ?? (branches.length === 1 ? branches[0]!.bc_id : '')
  const body = { ...facts, bc_id, status }
  return (
    <AskDrawer
      {...p}
      title={store ? `编辑 ${store.name}` : '新增门店'}
      done="已保存"
      ready={!!facts.name && !!bc_id}
      send={() =>
        store
          ? call(storesApi.edit, { body: { ...body, id: store.id, version: store.version } })
          : call(storesApi.add, { body })
      }
    >
      {(errors) => (
        <>
          <Field label="分公司" error={errors.bc_id}>
            <Select
              style={{ width: '100%' }}
              aria-label="分公司"
              disabled={!!store}
              value={bc_id || undefined}
              options={branches.map((b) => ({ value: b.bc_id, label: b.bc_name }))}
              onChange={setBc}
            />
          </Field>
          {(Object.keys(LABEL) as Key[]).map((k) => (
            <Field key={k} label={LABEL[k]} error={errors[k]}>
              <Input
                value={facts[k]}
                maxLength={120}
                onChange={(e) => setFacts({ ...facts, [k]: e.target.value })}
              />
            </Field>
          ))}
          <Field label="状态">
            <Select
              style={{ width: '100%' }}
              aria-label="状态"
              value={status}
              options={companyStatus.options}
              onChange={setStatus}
            />
          </Field>
        </>
      )}
    </AskDrawer>
  )
}
