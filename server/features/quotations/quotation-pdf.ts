import type { QuotationDetail } from '@zhuguan/contract/features/quotations/quotations.record.ts'

import type { Call } from '../../kit/serve.ts'
import { sendBranchPaper } from '../companies/branch-paper.service.ts'
import { quotationPaper } from './quotation-paper.ts'

/** One version as the customer gets it. */
export const printQuotation = (call: Call, quotation: QuotationDetail): Promise<void> =>
  sendBranchPaper(
    call,
    quotation,
    `${quotation.code}-${quotation.shown}`,
    {
      action: '打印报价单 PDF',
      object: 'quotation',
      objectId: quotation.id,
      after: { code: quotation.code, number: quotation.shown },
    },
    (head, foot) => quotationPaper(quotation, head, foot),
  )
