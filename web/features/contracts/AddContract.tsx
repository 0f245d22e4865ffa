import { useQuery } from '@tanstack/react-query'
import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { quotationStatus } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { OneField } from '../../kit/form/fields.tsx'
import { FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'

/** A contract of an approved quotation that is still good. */
export default function AddContract({
  onClose,
  onDone,
}: {
  onClose: () => void
  onDone: (id: string) => void
}) {
  const query = { status: [quotationStatus.code.approved], sort: ['-changedAt' as const], pageSize: 100 }
  const { data, isPending } = useQuery({
    queryKey: [quotationsApi.list.path, 'approved'],
    queryFn: ({ signal }) => call(quotationsApi.list, { query }, signal),
  })
  const rows = (data?.list ?? []).filter((q) => !q.expired)
  const form = useForm(contractsApi.add, { id: null, version: null })
  const chosen = rows.find((q) => q.id === form.values.id)
  return (
    <FormDrawer
      form={form}
      title="由报价单生成合同"
      done={({ code }) => ({ text: `合同 ${code} 已生成` })}
      onClose={onClose}
      onDone={({ id }) => onDone(id)}
    >
      <OneField
        of={form}
        name="id"
        loading={isPending}
        placeholder="输入编号、客户或小区查找"
        nothing="没有审核通过且在有效期内的报价单"
        options={rows.map((q) => ({
          value: q.id,
          label: `${q.code} ${q.customerName} ${q.community} ${grouped(q.total)} 元`,
        }))}
        also={(id) => ({ id, version: rows.find((q) => q.id === id)?.version ?? null })}
      />
      {chosen && (
        <Facts>
          <Fact name="客户">{chosen.customerName}</Fact>
          <Fact name="小区">{chosen.community}</Fact>
          <Fact name="套餐">{chosen.packageName}</Fact>
          <Fact name="面积">{chosen.area} ㎡</Fact>
          <Fact name="总价">{grouped(chosen.total)} 元</Fact>
          <Fact name="有效期至">{chosen.validUntil}</Fact>
        </Facts>
      )}
    </FormDrawer>
  )
}
