import type { MenuItem } from '@zhuguan/contract/features/session/session.record.ts'
import { subsystem } from '@zhuguan/contract/features/session/session.record.ts'
import { PAGES, type Page } from '@zhuguan/contract/pages.ts'
import { type MouseEvent, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { Opener } from '../../kit/Floating.tsx'
import { MenuList } from '../../kit/MenuList.tsx'
import { setPreferences, usePreferences } from '../../kit/preferences.ts'
import { Icon } from '../../parts/Icon.tsx'
import { firstOf, useSession, visibleMenus } from '../../parts/session.ts'

const LONG_TITLE = 5
const screenOf = (item: MenuItem) =>
  (PAGES as Record<string, Page>)[item.componentName]?.shell === 'screen' ? item.path : null
const titleOf = (item: MenuItem, folded: boolean) =>
  folded || item.name.length > LONG_TITLE ? item.name : undefined
/** The browser's own: a new tab, a new window, a download. */
const isPlain = (e: MouseEvent) => !e.ctrlKey && !e.metaKey && !e.shiftKey && !e.altKey

export function SideMenu({ folded, openPaths }: { folded: boolean; openPaths: readonly string[] }) {
  const session = useSession()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    nav.current?.querySelector('.side-item.on')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  const open = (item: MenuItem) => {
    // A page with a memory opens as it was left; one that is kept does while its tab is there.
    const isKept = item.memoryRouter || (item.keepAlive && openPaths.includes(item.path))
    const to = firstOf(item) + (isKept ? (sessionStorage.getItem(`left:${item.path}`) ?? '') : '')
    if (screenOf(item)) window.open(`#${to}`, '_blank', 'noopener')
    else void navigate(to)
  }
  return (
    <>
      <button
        className="logo"
        onClick={() => void navigate('/Login')}
        title={subsystem.label(session.system)}
      >
        <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" fill="#409eff" />
          <path d="M7 24V13l9-6 9 6v11h-6v-7h-6v7z" fill="#fff" />
        </svg>
        {!folded && <span>{subsystem.label(session.system)}</span>}
      </button>
      <nav className="side-nav" aria-label="主菜单" ref={nav}>
        {visibleMenus(session).map((m) => {
          if (m.componentName) return <Entry key={m.path} item={m} folded={folded} onOpen={open} />
          if (!m.alwaysShow && m.children.length === 1) {
            const only = { ...m.children[0]!, icon: m.icon }
            return <Entry key={m.path} item={only} folded={folded} onOpen={open} />
          }
          return folded ? (
            <FlyOut key={m.path} group={m} onOpen={open} />
          ) : (
            <Group key={m.path} group={m} onOpen={open} />
          )
        })}
      </nav>
    </>
  )
}

interface Props {
  onOpen: (item: MenuItem) => void
}

function Entry({
  item,
  child = false,
  folded,
  onOpen,
}: Props & { item: MenuItem; child?: boolean; folded: boolean }) {
  const isHere = useLocation().pathname === item.path
  return (
    <a
      className={`side-item${child ? ' child' : ''}${isHere ? ' on' : ''}`}
      href={`#${item.path}`}
      title={titleOf(item, folded)}
      aria-current={isHere ? 'page' : undefined}
      onClick={(e) => {
        if (!isPlain(e)) return
        e.preventDefault()
        onOpen(item)
      }}
    >
      {!child && <Icon name={item.icon} />}
      {(child || !folded) && <span>{item.name}</span>}
    </a>
  )
}

/**
 * A group opens its first page (docs/product.md). The one with the present page is open, the others are folded, so that
 * all groups stand on the screen; what the arrow opens or folds stays so on this machine.
 */
function Group({ group, onOpen }: Props & { group: MenuItem }) {
  const { pathname } = useLocation()
  const { groups } = usePreferences()
  const isWithin = group.children.some((c) => c.path === pathname)
  const { [group.path]: chosen, ...others } = groups
  const isFolded = chosen ? chosen === 'folded' : !isWithin
  const forget = () => setPreferences({ groups: others })
  // Where one goes is shown, whatever was folded before; what was chosen before this page was loaded stands.
  const arrived = useRef(pathname)
  useEffect(() => {
    if (arrived.current !== pathname && isWithin && chosen === 'folded') forget()
    arrived.current = pathname
  }, [pathname])
  return (
    <div className="side-group">
      <div className="side-head">
        <button
          className={`side-item${isWithin ? ' within' : ''}`}
          title={titleOf(group, false)}
          onClick={() => {
            if (chosen === 'folded') forget()
            onOpen(group)
          }}
        >
          <Icon name={group.icon} />
          <span>{group.name}</span>
        </button>
        <button
          className="side-fold"
          aria-expanded={!isFolded}
          aria-label={`${isFolded ? '展开' : '收起'}${group.name}`}
          onClick={() =>
            setPreferences({ groups: { ...others, [group.path]: isFolded ? 'open' : 'folded' } })
          }
        >
          <i className="caret" />
        </button>
      </div>
      {!isFolded &&
        group.children.map((c) => <Entry key={c.path} item={c} child folded={false} onOpen={onOpen} />)}
    </div>
  )
}

/** With the menu folded away, a group's pages stand in a box beside its icon. */
function FlyOut({ group, onOpen }: Props & { group: MenuItem }) {
  const { pathname } = useLocation()
  return (
    <Opener
      button={
        <button
          className={`side-item${group.children.some((c) => c.path === pathname) ? ' within' : ''}`}
          title={group.name}
          aria-label={group.name}
        >
          <Icon name={group.icon} />
        </button>
      }
    >
      {(close) => (
        <MenuList
          entries={group.children.map((c) => ({ key: c.path, label: c.name }))}
          onPick={(path) => {
            close()
            onOpen(group.children.find((c) => c.path === path)!)
          }}
        />
      )}
    </Opener>
  )
}
