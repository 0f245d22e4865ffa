import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { quotationColumns } from '@zhuguan/contract/features/quotations/quotations.columns.ts'
import { quotationStatus } from '@zhuguan/contract/features/quotations/quotations.record.ts'

import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { ListExport } from '../../parts/listButtons.tsx'

const columns = columnsOf<typeof quotationsApi.list>()(quotationColumns, {
  code: (q) => q.code,
})

export default function QuotationListPage() {
  const list = useList(quotationsApi.list)
  return (
    <ListPage
      name="报价单"
      list={list}
      columns={columns}
      empty="还没有报价单。"
      filters={
        <>
          <KeywordFilter list={list} placeholder="编号、客户、小区" />
          <CodeFilter list={list} field="status" label="审核状态" options={quotationStatus.options} />
        </>
      }
      actions={<ListExport list={list} endpoint={quotationsApi.export} name="报价单" />}
    />
  )
}
