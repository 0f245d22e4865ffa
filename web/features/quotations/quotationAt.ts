import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'

import { call } from '../../kit/api.ts'

/** One of a quotation's versions, the newest where none is named: the list asks for it while its link is pressed. */
export const quotationAt = (id: string, number: string) => ({
  queryKey: [quotationsApi.details.path, id, number],
  queryFn: ({ signal }: { signal?: AbortSignal }) =>
    call(quotationsApi.details, { query: { id, ...(number && { number: Number(number) }) } }, signal),
})
