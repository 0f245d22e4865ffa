import type { QueryClient } from '@tanstack/react-query'
import type { Endpoint, InputOf } from '@zhuguan/contract/kit/api.ts'
import type { ListEndpoint } from '@zhuguan/contract/kit/paging.ts'

import { call } from './api.ts'
import { rowsAt } from './list/useList.ts'

/**
 * The call that a page will make at an address, asked when a link to it is pressed: a tenth of a second before the
 * click.
 */
export type Ahead = (client: QueryClient, search: string) => void

/** The rows of a list page. */
export const rowsBy =
  (endpoint: ListEndpoint): Ahead =>
  (client, search) =>
    void client.prefetchQuery(rowsAt(endpoint, search))

/** The record of a detail page, as the page itself keeps it: by the call's path and the record. */
export const recordBy =
  <E extends Endpoint>(endpoint: E, name: 'id' | 'site_id' = 'id'): Ahead =>
  (client, search) => {
    const id = new URLSearchParams(search).get(name)
    if (!id) return
    void client.prefetchQuery({
      queryKey: [endpoint.path, id],
      queryFn: ({ signal }) => call(endpoint, { query: { [name]: id } } as InputOf<E>, signal),
    })
  }
