import { useQuery } from '@tanstack/react-query'
import { previewActions } from '@zhuguan/contract/features/shares/previews.actions.ts'
import { previewsApi } from '@zhuguan/contract/features/shares/previews.api.ts'
import {
  type PreviewChoice,
  type PreviewDetail,
  previewItemKind,
  previewState,
} from '@zhuguan/contract/features/shares/previews.record.ts'
import { sharesApi } from '@zhuguan/contract/features/shares/shares.api.ts'
import { Input, Segmented } from 'antd'
import { useState } from 'react'

import { actionsOf } from '../../kit/actionsOf.ts'
import { ApiError, call } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { RowActions } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { useActor, useMayReach } from '../../parts/session.ts'
import { Openings } from '../../parts/sharing/Openings.tsx'

type Kind = PreviewChoice['kind']
const same = (a: Pick<PreviewChoice, 'kind' | 'target_id'>, b: typeof a) =>
  a.kind === b.kind && a.target_id === b.target_id

/** The cases that could be put in, those near to the customer's home first. */
function Choices({
  of: v,
  chosen,
  onPick,
}: {
  of: PreviewDetail
  chosen: readonly PreviewChoice[]
  onPick: (c: PreviewChoice) => void
}) {
  const customer = v.customer_id
  const hasMap = useMayReach('MapFieldboard')
  const [kind, setKind] = useState<Kind>(previewItemKind.code.case)
  const [keyword, setKeyword] = useState('')
  const { data, error, refetch } = useQuery({
    queryKey: [previewsApi.choices.path, customer, kind, keyword],
    queryFn: ({ signal }) =>
      call(previewsApi.choices, { query: { customer_id: customer, kind, keyword } }, signal),
  })
  const left = data?.filter((c) => !chosen.some((i) => same(i, c)))
  return (
    <section>
      <h2>
        可以放的{' '}
        {hasMap && (
          <LinkTo page="MapFieldboard" query={{ preview: v.id, community: v.community || undefined }}>
            在地图上找
          </LinkTo>
        )}
      </h2>
      <p className="preview-find">
        <Segmented
          value={kind}
          onChange={setKind}
          options={previewItemKind.options.map(({ label, value }) => ({ label, value }))}
        />
        <Input
          aria-label="查找内容"
          placeholder={kind === previewItemKind.code.site ? '小区，不填就是客户的小区' : '名称'}
          value={keyword}
          maxLength={30}
          onChange={(e) => setKeyword(e.target.value)}
        />
      </p>
      {error && <Failed error={error} again={() => void refetch()} />}
      {left?.length === 0 && <p className="quiet">没有可以放的了。</p>}
      <div className="share-choices">
        {left?.map((c) => (
          <button key={c.target_id} onClick={() => onPick(c)}>
            <b>{c.title}</b>
            <small>{c.detail}</small>
          </button>
        ))}
      </div>
    </section>
  )
}

/** Openings of the newest link to it. */
function Sent({ title, customer }: { title: string; customer: string }) {
  const { data } = useQuery({
    queryKey: [sharesApi.list.path, customer, title],
    queryFn: ({ signal }) =>
      call(sharesApi.list, { query: { customer_id: customer, kind: ['preview'], keyword: title } }, signal),
  })
  const newest = data?.list[0]
  if (!newest) return null
  return (
    <section>
      <h2>打开情况</h2>
      <Openings id={newest.id} brief />
    </section>
  )
}

/** What stands in it, what is said with it, and what may be done with it now. */
export default function PreviewEditor({
  of: v,
  onDone,
  onSend,
}: {
  of: PreviewDetail
  onDone: () => void
  onSend: () => void
}) {
  const actor = useActor()
  const [title, setTitle] = useState(v.title)
  const [words, setWords] = useState(v.words)
  const [items, setItems] = useState(v.items.filter((i) => i.droppedFor === ''))
  const fallen = v.items.filter((i) => i.droppedFor !== '')
  const isSame = items.length === v.items.length && items.every((i, at) => same(i, v.items[at]!))
  const isChanged = title !== v.title || words !== v.words || !isSame
  const ends = v.state === previewState.code.ended
  async function save() {
    const chosen = items.map(({ kind, target_id }) => ({ kind, target_id }))
    const body = { id: v.id, version: v.version, title, words, items: chosen }
    try {
      await call(previewsApi.save, { body })
      message.success('已保存')
      onDone()
    } catch (error) {
      const said = error instanceof ApiError ? Object.values(error.fields)[0] : undefined
      message.error(said ?? (error as Error).message)
    }
  }
  const actions = actionsOf(previewActions, { ...v, items: v.items.length }, actor, {
    edit: null,
    revise: null,
    send: { open: () => (isChanged ? message.info('请先保存改动，再发送') : onSend()) },
    end: {
      confirm: `结束给 ${v.customerName} 的预览？已经发出去的链接马上打不开。请写明原因`,
      run: (reason) => call(previewsApi.end, { body: { id: v.id, version: v.version, reason } }),
    },
  })
  return (
    <div className="preview-editor">
      <section>
        <h2>放了什么</h2>
        <Input aria-label="标题" value={title} maxLength={30} onChange={(e) => setTitle(e.target.value)} />
        <Input.TextArea
          aria-label="想说的话"
          placeholder="想对客户说的话"
          value={words}
          maxLength={200}
          autoSize
          onChange={(e) => setWords(e.target.value)}
        />
        {fallen.map((i) => (
          <p key={i.target_id} className="quiet">
            <State tone="bad">已去掉</State> {i.title}：{i.droppedFor}
          </p>
        ))}
        <ol className="preview-items">
          {items.map((i) => (
            <li key={i.target_id}>
              <span>
                <b>{i.title}</b> <small>{i.detail}</small>
              </span>
              <button
                className="text-button"
                aria-label={`去掉 ${i.title}`}
                onClick={() => setItems(items.filter((o) => !same(o, i)))}
              >
                去掉
              </button>
            </li>
          ))}
        </ol>
        {items.length === 0 && <p className="quiet">还没有内容，从下面选。</p>}
        <div className="preview-actions">
          {!ends && (
            <button className="button" disabled={!isChanged} onClick={() => void save()}>
              保存
            </button>
          )}
          <RowActions actions={actions} onDone={onDone} />
        </div>
      </section>
      <Sent title={v.title} customer={v.customer_id} />
      {!ends && (
        <Choices of={v} chosen={items} onPick={(c) => setItems([...items, { ...c, droppedFor: '' }])} />
      )}
    </div>
  )
}
