import { useQuery } from '@tanstack/react-query'
import { facesApi } from '@zhuguan/contract/features/workers/faces.api.ts'

import { call } from '../../kit/api.ts'

export const REMOVALS = [facesApi.removals.path]
/** Faces that terminals must forget. */
export const useRemovals = () =>
  useQuery({ queryKey: REMOVALS, queryFn: ({ signal }) => call(facesApi.removals, {}, signal) })
