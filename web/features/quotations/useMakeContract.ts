import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { call } from '../../kit/api.ts'
import { message } from '../../kit/notices.ts'
import { usePage } from '../../kit/page.tsx'

/** A contract of an approved quotation, in one step; it is opened at once. */
export function useMakeContract(): (of: Promise<{ id: string; version: number }>) => void {
  const page = usePage()
  const make = async (of: Promise<{ id: string; version: number }>) => {
    const { id, code } = await call(contractsApi.add, { body: await of })
    message.success(`合同 ${code} 已生成`)
    page.go(linkTo('ContractDetail', { id }))
  }
  return (of) => void make(of).catch((error: Error) => message.error(error.message))
}
