import { useQuery, useQueryClient } from '@tanstack/react-query'
import { viewsApi } from '@zhuguan/contract/features/views/views.api.ts'
import { useState } from 'react'

import { call } from '../api.ts'
import { barePart } from '../barePart.tsx'
import { Opener } from '../Floating.tsx'
import { message } from '../notices.ts'
import { usePage } from '../page.tsx'
import { viewOf } from './address.ts'

const ViewBox = barePart(
  () => import('./ViewBox.tsx'),
  () => <div className="pick views" aria-busy="true" />,
)

/** Filters, sort and columns under a name of one's own; the address itself can be given to a colleague. */
export function ViewMenu({ cols }: { cols: string }) {
  const page = usePage()
  const client = useQueryClient()
  const queryKey = [viewsApi.named.path, page.path]
  const [opened, setOpened] = useState(false)
  const here = viewOf(page.search, '')
  const search = viewOf(page.search, cols)
  // An address without filters is no view: the names are asked for when they are first wanted.
  const { data: views = [] } = useQuery({
    queryKey,
    staleTime: 60_000,
    enabled: opened || here !== '',
    queryFn: ({ signal }) => call(viewsApi.named, { query: { page: page.path } }, signal),
  })
  const current = here ? views.find((v) => v.search === here || v.search === search) : undefined
  const done = (sent: Promise<unknown>, text: string) =>
    sent
      .then(() => {
        message.success(text)
        return client.invalidateQueries({ queryKey })
      })
      .catch((e: Error) => message.error(e.message))
  const copy = () =>
    void navigator.clipboard?.writeText(`${location.origin}${location.pathname}#${page.path}${search}`).then(
      () => message.success('地址已复制，有权限的同事打开就是同样的条件和列'),
      () => message.error('浏览器不允许复制，请直接复制地址栏'),
    )
  /** What the box needs is fetched when the pointer or the keyboard comes near. */
  const near = () => {
    setOpened(true)
    ViewBox.ahead()
  }
  return (
    <Opener
      align="end"
      button={
        <button
          title="把条件、排序和列存成一个名字"
          className={`filter${current ? ' on' : ''}`}
          onFocus={near}
          onPointerEnter={near}
        >
          {current ? <b>{current.title}</b> : '视图'}
          <i className="caret" />
        </button>
      }
    >
      {(close) => (
        <ViewBox
          views={views}
          current={current}
          onOpen={(v) => {
            close()
            page.go(page.path + v.search, { replace: true })
          }}
          onKeep={(title) =>
            void done(call(viewsApi.keep, { body: { page: page.path, title, search } }), '已保存')
          }
          onChange={({ id, title }, name) =>
            void done(
              call(viewsApi.change, { body: name ? { id, title: name } : { id, search } }),
              name ? '已改名' : `“${title}”已换成现在的条件和列`,
            )
          }
          onDrop={({ id }) => void done(call(viewsApi.drop, { body: { id } }), '已删除')}
          onCopy={() => {
            close()
            copy()
          }}
        />
      )}
    </Opener>
  )
}
