import type { QuotationDetail } from '@zhuguan/contract/features/quotations/quotations.record.ts'

import { paperPdf } from '../../kit/paper.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import { headOf } from '../companies/companies.reads.ts'
import { quotationPaper } from './quotation-paper.ts'

/** One version as the customer gets it. */
export async function printQuotation(call: Call, quotation: QuotationDetail): Promise<void> {
  const { id, tenant, nickname } = call.user
  const head = await call.read((tx) => headOf(tx, tenant, quotation.bc_id))
  const foot = `${nickname} ${shanghaiTime(call.now())} 打印`
  const file = await paperPdf(id, quotationPaper(quotation, head, foot))
  await call.write((tx) =>
    call.log(tx, {
      action: '打印报价单 PDF',
      object: 'quotation',
      objectId: quotation.id,
      after: { code: quotation.code, number: quotation.shown },
    }),
  )
  await call.reply
    .header('content-type', 'application/pdf')
    .header(
      'content-disposition',
      `attachment; filename*=UTF-8''${encodeURIComponent(`${quotation.code}-${quotation.shown}`)}.pdf`,
    )
    .send(file)
}
