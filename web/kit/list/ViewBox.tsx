import { useState } from 'react'

export interface View {
  id: string
  title: string
  search: string
}

/** The views of a page by name, and what can be done to them. */
export default function ViewBox({
  views,
  current,
  onOpen,
  onKeep,
  onChange,
  onDrop,
  onCopy,
}: {
  views: readonly View[]
  current: View | undefined
  onOpen: (view: View) => void
  /** Under a new name. */
  onKeep: (title: string) => void
  /** To a new name, or to what is filtered now. */
  onChange: (view: View, title?: string) => void
  onDrop: (view: View) => void
  onCopy: () => void
}) {
  return (
    <div className="pick views" role="group" aria-label="保存的视图">
      {views.map((v) => (
        <NamedLine
          key={v.id}
          title={v.title}
          now={v === current}
          onOpen={() => onOpen(v)}
          onRename={(title) => onChange(v, title)}
          onUpdate={() => onChange(v)}
          onDrop={() => onDrop(v)}
        />
      ))}
      {views.length === 0 && <p className="quiet">把现在的条件、排序和列存成一个名字，下次一点就到。</p>}
      <NewLine onKeep={onKeep} />
      <button onClick={onCopy}>复制现在的地址</button>
    </div>
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
