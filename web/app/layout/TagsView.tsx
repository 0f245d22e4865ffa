import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'

import { Floating } from '../../kit/Floating.tsx'
import { dropUnsaved, hasUnsaved } from '../../kit/form/unsaved.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { MenuList } from '../../kit/MenuList.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { landing } from '../../parts/session.ts'
import type { Tab } from '../tabs.ts'

const AskDialog = lazyPart(() => import('../../kit/AskDialog.tsx'))
/** Which tabs a way of closing leaves: the place of each beside the place of the one it was chosen on. */
const STAYS: Record<string, (place: number, chosen: number) => boolean> = {
  others: (place, chosen) => place === chosen,
  right: (place, chosen) => place <= chosen,
  all: () => false,
}

/** Open pages as tabs; kept pages keep their state. */
export function TagsView({
  tabs,
  current,
  onTabs,
}: {
  tabs: Tab[]
  current: string
  onTabs: (tabs: Tab[]) => void
}) {
  const navigate = useNavigate()
  const [menu, setMenu] = useState<{ tab: Tab; at: DOMRect } | null>(null)
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    row.current?.querySelector('.tag.on')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    // A tab's name comes after it, and makes it wider.
  }, [current, tabs])
  const address = (t: Tab) => t.path + t.search
  const [asking, setAsking] = useState<{ unsaved: Tab[]; go: () => void } | null>(null)
  /** What is filled in and not saved on these tabs is given up only when one says so. */
  function giveUp(gone: readonly Tab[], go: () => void) {
    const unsaved = gone.filter((t) => hasUnsaved(t.key))
    if (unsaved.length) setAsking({ unsaved, go })
    else go()
  }
  const keep = (left: Tab[]) =>
    giveUp(
      tabs.filter((t) => !left.includes(t)),
      () => {
        onTabs(left)
        if (!left.some((t) => t.key === current))
          void navigate(left.length ? address(left.at(-1)!) : landing())
      },
    )
  function pick(key: string, tab: Tab) {
    setMenu(null)
    const i = tabs.findIndex((x) => x.key === tab.key)
    if (key === 'refresh') giveUp([tab], () => void navigate(`/redirect${address(tab)}`))
    else if (key === 'pin') onTabs(tabs.map((x) => (x.key === tab.key ? { ...x, pinned: !x.pinned } : x)))
    else keep(tabs.filter((x, j) => x.pinned || STAYS[key]!(j, i)))
  }
  return (
    <div
      className="tags"
      role="navigation"
      aria-label="打开的页面"
      ref={row}
      onWheel={(e) => row.current!.scrollBy({ left: e.deltaY })}
    >
      {tabs.map((t) => (
        <span
          key={t.key}
          className={`tag${t.key === current ? ' on' : ''}`}
          onContextMenu={(e) => {
            e.preventDefault()
            setMenu({ tab: t, at: e.currentTarget.getBoundingClientRect() })
          }}
        >
          <button
            aria-current={t.key === current ? 'page' : undefined}
            title={t.title}
            onClick={() => void navigate(address(t))}
          >
            {t.title}
          </button>
          {t.pinned ? (
            <Icon name="pin" size={12} />
          ) : (
            <button
              className="tag-close"
              aria-label={`关闭${t.title}`}
              onClick={() => keep(tabs.filter((x) => x !== t))}
            >
              <Icon name="close" size={12} />
            </button>
          )}
        </span>
      ))}
      {asking && (
        <AskDialog
          action={{
            key: 'close',
            label: '关闭',
            confirm: `${asking.unsaved.map((t) => `“${t.title}”`).join('、')}里填写的内容还没有保存，关闭或刷新后就没有了。确定吗？`,
          }}
          busy={false}
          onCancel={() => setAsking(null)}
          onOk={() => {
            for (const t of asking.unsaved) dropUnsaved(t.key)
            setAsking(null)
            asking.go()
          }}
        />
      )}
      {menu && (
        <Floating at={menu.at} onClose={() => setMenu(null)}>
          <MenuList
            entries={[
              { key: 'refresh', label: '刷新' },
              { key: 'pin', label: menu.tab.pinned ? '取消固定' : '固定' },
              { key: 'others', label: '关闭其他' },
              { key: 'right', label: '关闭右侧' },
              { key: 'all', label: '关闭全部' },
            ]}
            onPick={(key) => pick(key, menu.tab)}
          />
        </Floating>
      )}
    </div>
  )
}
