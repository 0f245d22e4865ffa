import { DIMENSION_LABEL, PAGES, type Page, type PageName } from '@zhuguan/contract/pages.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { useOnline } from '../../kit/live.ts'
import { setPreferences, usePreferences } from '../../kit/preferences.ts'
import { usePhone } from '../../kit/usePhone.ts'
import { Icon } from '../../parts/Icon.tsx'
import { type Entry, landing, useSession } from '../../parts/session.ts'
import type { Tab } from '../tabs.ts'
import { DimensionTabs } from './DimensionTabs.tsx'
import { HeaderTools } from './HeaderTools.tsx'
import { SideMenu } from './SideMenu.tsx'
import { TagsView } from './TagsView.tsx'

import './layout.css'

const SearchBox = lazyPart(() => import('./SearchBox.tsx'))
const Shortcuts = lazyPart(() => import('./Shortcuts.tsx'))
const SIZED = { small: ' compact', medium: '', large: ' roomy' } as const

export function Layout({
  tabs,
  current,
  entry,
  onTabs,
  children,
}: {
  tabs: Tab[]
  current: string
  entry: Entry | null
  onTabs: (tabs: Tab[]) => void
  children: ReactNode
}) {
  const { sidebar, tags, fixedHeader, size } = usePreferences()
  const openPaths = tabs.map((t) => t.path)
  const phone = usePhone()
  const [menu, setMenu] = useState(false)
  const [searching, setSearching] = useState(false)
  const [help, setHelp] = useState(false)
  const navigate = useNavigate()
  const isOnline = useOnline()
  useSession()

  useEffect(() => {
    const on = (e: KeyboardEvent) => {
      if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'k') {
        e.preventDefault()
        setSearching(true)
      } else if (e.key === '?' && !/INPUT|TEXTAREA|SELECT/.test((e.target as HTMLElement).tagName))
        setHelp(true)
    }
    addEventListener('keydown', on)
    return () => removeEventListener('keydown', on)
  }, [])
  useEffect(() => setMenu(false), [current])

  return (
    <div className={`shell${sidebar ? '' : ' folded'}${fixedHeader ? ' fixed' : ''}${SIZED[size]}`}>
      {phone ? (
        menu && <SideSheet openPaths={openPaths} onClose={() => setMenu(false)} />
      ) : (
        <aside className="side">
          <SideMenu folded={!sidebar} openPaths={openPaths} />
        </aside>
      )}
      <div className="main">
        <header className="head">
          <button
            className="icon-button"
            aria-label={sidebar ? '收起菜单' : '展开菜单'}
            onClick={() => (phone ? setMenu(true) : setPreferences({ sidebar: !sidebar }))}
          >
            <Icon name="menu" />
          </button>
          <nav className="crumbs" aria-label="当前位置">
            <Crumbs entry={entry} onHome={() => void navigate(landing())} />
          </nav>
          <HeaderTools onSearch={() => setSearching(true)} phone={phone} />
        </header>
        {tags && !phone && <TagsView tabs={tabs} current={current} onTabs={onTabs} />}
        {entry && <DimensionTabs page={entry.item.componentName as PageName} />}
        {!isOnline && (
          <p className="offline" role="status">
            没有网络：页面上是断网前的数据，现在提交不了。网络恢复后自动更新。
          </p>
        )}
        <div className="body">{children}</div>
      </div>
      {searching && <SearchBox onClose={() => setSearching(false)} />}
      {help && <Shortcuts onClose={() => setHelp(false)} />}
    </div>
  )
}

/** The menu on a phone; the browser's own dialog keeps the focus and closes on Esc. */
const SideSheet = ({ openPaths, onClose }: { openPaths: readonly string[]; onClose: () => void }) => (
  <dialog
    className="side-sheet"
    ref={(d) => {
      if (d && !d.open) d.showModal()
    }}
    onClose={onClose}
    onClick={(e) => e.target === e.currentTarget && onClose()}
  >
    <SideMenu folded={false} openPaths={openPaths} />
  </dialog>
)

/** Parent, the home crumb, then the child; a hidden page says its dimension (docs/product.md). */
function Crumbs({ entry, onHome }: { entry: Entry | null; onHome: () => void }) {
  if (!entry) return null
  const page = PAGES[entry.item.componentName as PageName] as Page | undefined
  const parent = page?.dimension ? DIMENSION_LABEL[page.dimension] : entry.group?.name
  const home = entry.item.path === '/HomeMaster'
  return (
    <>
      {parent && (
        <>
          <span className="crumb">{parent}</span>
          <i>/</i>
        </>
      )}
      {!home && (
        <>
          <button className="crumb link" onClick={onHome}>
            首页
          </button>
          <i>/</i>
        </>
      )}
      <h1 className="crumb now">{entry.item.name}</h1>
    </>
  )
}
