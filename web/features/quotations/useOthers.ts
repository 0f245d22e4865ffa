import { useQuery } from '@tanstack/react-query'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { useEffect } from 'react'

import { call } from '../../kit/api.ts'

const EVERY_MS = 15_000
/** Says that this quotation is open here, and hears who else has it open and which version the server has. */
export function useOthers(id: string, isOn: boolean) {
  const { data } = useQuery({
    queryKey: [quotationsApi.editing.path, id],
    enabled: isOn,
    refetchInterval: EVERY_MS,
    queryFn: ({ signal }) => call(quotationsApi.editing, { body: { id, leaving: false } }, signal),
  })
  useEffect(() => {
    if (!isOn) return
    return () => void call(quotationsApi.editing, { body: { id, leaving: true } }).catch(() => {})
  }, [id, isOn])
  return { others: (isOn && data?.others) || [], version: data?.version, changedBy: data?.changedBy }
}
