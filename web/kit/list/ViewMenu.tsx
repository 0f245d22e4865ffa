import { useQuery, useQueryClient } from '@tanstack/react-query'
import { viewsApi } from '@zhuguan/contract/features/views/views.api.ts'
import { useState } from 'react'

import { call } from '../api.ts'
import { Opener } from '../Floating.tsx'
import { message } from '../notices.ts'
import { usePage } from '../page.tsx'
import { viewOf } from './address.ts'

/** Filters, sort and columns under a name of one's own; the address itself can be given to a colleague. */
export function ViewMenu({ cols }: { cols: string }) {
  const page = usePage()
  const client = useQueryClient()
  const queryKey = [viewsApi.named.path, page.path]
  const [opened, setOpened] = useState(false)
  const here = viewOf(page.search, '')
  // An address without filters is no view: the names are asked for when they are first wanted.
  const { data: views = [] } = useQuery({
    queryKey,
    staleTime: 60_000,
    enabled: opened || here !== '',
    queryFn: ({ signal }) => call(viewsApi.named, { query: { page: page.path } }, signal),
  })
  const current = here
    ? views.find((v) => v.search === here || v.search === viewOf(page.search, cols))
    : undefined
  const done = (sent: Promise<unknown>, text: string) =>
    sent
      .then(() => {
        message.success(text)
        return client.invalidateQueries({ queryKey })
      })
      .catch((e: Error) => message.error(e.message))
  const copy = () =>
    void navigator.clipboard
      ?.writeText(`${location.origin}${location.pathname}#${page.path}${viewOf(page.search, cols)}`)
      .then(
        () => message.success('地址已复制，有权限的同事打开就是同样的条件和列'),
        () => message.error('浏览器不允许复制，请直接复制地址栏'),
      )
  return (
    <Opener
      align="end"
      button={
        <button
          className={`filter${current ? ' on' : ''}`}
          onFocus={() => setOpened(true)}
          onPointerEnter={() => setOpened(true)}
        >
          {current ? <b>{current.title}</b> : '视图'}
          <i className="caret" />
        </button>
      }
    >
      {(close) => (
        <div className="pick views" role="group" aria-label="保存的视图">
          {views.map((v) => (
            <NamedLine
              key={v.id}
              title={v.title}
              now={v === current}
              onOpen={() => {
                close()
                page.go(page.path + v.search, { replace: true })
              }}
              onRename={(title) => void done(call(viewsApi.change, { body: { id: v.id, title } }), '已改名')}
              onUpdate={() =>
                void done(
                  call(viewsApi.change, { body: { id: v.id, search: viewOf(page.search, cols) } }),
                  `“${v.title}”已换成现在的条件和列`,
                )
              }
              onDrop={() => void done(call(viewsApi.drop, { body: { id: v.id } }), '已删除')}
            />
          ))}
          {views.length === 0 && <p className="quiet">把现在的条件、排序和列存成一个名字，下次一点就到。</p>}
          <NewLine
            onKeep={(title) =>
              void done(
                call(viewsApi.keep, { body: { page: page.path, title, search: viewOf(page.search, cols) } }),
                '已保存',
              )
            }
          />
          <button
            onClick={() => {
              close()
              copy()
            }}
          >
            复制现在的地址
          </button>
        </div>
      )}
    </Opener>
  )
}

function NamedLine({
  title,
  now,
  onOpen,
  onRename,
  onUpdate,
  onDrop,
}: {
  title: string
  now: boolean
  onOpen: () => void
  onRename: (title: string) => void
  onUpdate: () => void
  onDrop: () => void
}) {
  const [asking, setAsking] = useState<'rename' | 'drop' | null>(null)
  if (asking === 'rename')
    return (
      <NameInput
        start={title}
        label="新名字"
        onOk={(t) => {
          setAsking(null)
          if (t !== title) onRename(t)
        }}
        onCancel={() => setAsking(null)}
      />
    )
  return (
    <span className="view-line">
      <button className="view-open" aria-current={now || undefined} onClick={onOpen}>
        {title}
      </button>
      {asking === 'drop' ? (
        <>
          <button className="text-button" onClick={onDrop}>
            确定删除
          </button>
          <button className="text-button" onClick={() => setAsking(null)}>
            不删
          </button>
        </>
      ) : (
        <>
          <button className="text-button" title="换成现在的条件和列" onClick={onUpdate}>
            更新
          </button>
          <button className="text-button" onClick={() => setAsking('rename')}>
            改名
          </button>
          <button className="text-button" onClick={() => setAsking('drop')}>
            删除
          </button>
        </>
      )}
    </span>
  )
}

function NewLine({ onKeep }: { onKeep: (title: string) => void }) {
  const [open, setOpen] = useState(false)
  return open ? (
    <NameInput
      start=""
      label="视图的名字"
      onOk={(t) => {
        setOpen(false)
        onKeep(t)
      }}
      onCancel={() => setOpen(false)}
    />
  ) : (
    <button data-focus onClick={() => setOpen(true)}>
      保存现在的视图…
    </button>
  )
}

function NameInput({
  start,
  label,
  onOk,
  onCancel,
}: {
  start: string
  label: string
  onOk: (title: string) => void
  onCancel: () => void
}) {
  const [text, setText] = useState(start)
  const title = text.trim()
  return (
    <form
      className="view-line"
      onSubmit={(e) => {
        e.preventDefault()
        if (title) onOk(title)
      }}
    >
      <input
        className="input"
        autoFocus
        value={text}
        maxLength={20}
        placeholder={label}
        aria-label={label}
        onChange={(e) => setText(e.target.value)}
        onKeyDown={(e) => {
          if (e.key === 'Escape') {
            e.stopPropagation()
            e.preventDefault()
            onCancel()
          }
        }}
      />
      <button className="button small primary" disabled={!title}>
        保存
      </button>
    </form>
  )
}
