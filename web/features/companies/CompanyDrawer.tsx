import { companiesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import type { CompanyRow } from '@zhuguan/contract/features/companies/companies.record.ts'
import { Input, Switch } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { AskDrawer, Field } from '../../kit/AskDrawer.tsx'

const LABEL = {
  bc_name: '名称',
  code: '编号',
  city: '城市',
  principal: '负责人',
  phone: '电话',
  address: '地址',
  lng: '经度（GCJ-02）',
  lat: '纬度（GCJ-02）',
} as const
type Key = keyof typeof LABEL
const HINT: Partial<Record<Key, string>> = {
  bc_name: '例如 绍兴分公司',
  code: '大写字母和数字，例如 SX',
  lng: '例如 120.58',
  lat: '例如 30.05',
}

export default function CompanyDrawer({
  company,
  ...p
}: {
  company: CompanyRow | null
  onClose: () => void
  onDone: () => void
}) {
  const [facts, setFacts] = useState<Record<Key, string>>(
    () =>
      Object.fromEntries((Object.keys(LABEL) as Key[]).map((k) => [k, String(company?.[k] ?? '')])) as Record<
        Key,
        string
      >,
  )
  const [receivesOrders, setReceives] = useState(company?.receivesOrders ?? true)
  const body = { ...facts, receivesOrders, status: company?.status ?? 1 }
  return (
    <AskDrawer
      {...p}
      title={company ? `编辑 ${company.bc_name}` : '新增分公司'}
      done="已保存"
      ready={!!facts.bc_name && !!facts.code && !!facts.city}
      send={() =>
        company
          ? call(companiesApi.edit, { body: { ...body, id: company.id, version: company.version } })
          : call(companiesApi.add, { body })
      }
    >
      {(errors) => (
        <>
          {(Object.keys(LABEL) as Key[]).map((k) => (
            <Field key={k} label={LABEL[k]} error={errors[k]}>
              <Input
                value={facts[k]}
                maxLength={120}
                placeholder={HINT[k]}
                onChange={(e) =>
                  setFacts({ ...facts, [k]: k === 'code' ? e.target.value.toUpperCase() : e.target.value })
                }
              />
            </Field>
          ))}
          <Field label="接单">
            <Switch
              checked={receivesOrders}
              checkedChildren="接单"
              unCheckedChildren="不接单"
              onChange={setReceives}
            />
          </Field>
        </>
      )}
    </AskDrawer>
  )
}
