import { useQueryClient } from '@tanstack/react-query'
import type { MenuItem } from '@zhuguan/contract/features/session/session.record.ts'
import { subsystem } from '@zhuguan/contract/features/session/session.record.ts'
import { PAGES, type Page } from '@zhuguan/contract/pages.ts'
import { useLocation, useNavigate } from 'react-router'

import { Icon } from '../../parts/Icon.tsx'
import { firstOf, useSession, visibleMenus } from '../../parts/session.ts'
import { prefetchPage, prefetchRows } from '../pages.tsx'

const LONG_TITLE = 5
const screenOf = (item: MenuItem) =>
  (PAGES as Record<string, Page>)[item.componentName]?.shell === 'screen' ? item.path : null

export function SideMenu({ folded }: { folded: boolean }) {
  const session = useSession()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const open = (item: MenuItem) => {
    // A page with a memory opens as it was left.
    const to = firstOf(item) + (item.memoryRouter ? (sessionStorage.getItem(`left:${item.path}`) ?? '') : '')
    if (screenOf(item)) window.open(`#${to}`, '_blank', 'noopener')
    else void navigate(to)
  }
  const entry = (item: MenuItem, child: boolean) => (
    <button
      key={item.path}
      className={`side-item${child ? ' child' : ''}${pathname === item.path ? ' on' : ''}`}
      title={folded || item.name.length > LONG_TITLE ? item.name : undefined}
      aria-current={pathname === item.path ? 'page' : undefined}
      onPointerEnter={() => prefetchPage(item.componentName)}
      onPointerDown={() => {
        prefetchPage(item.componentName)
        prefetchRows(client, item.componentName)
      }}
      onClick={() => open(item)}
    >
      {!child && <Icon name={item.icon} />}
      {!(folded && !child) && <span>{item.name}</span>}
    </button>
  )
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
      <nav className="side-nav" aria-label="主菜单">
        {visibleMenus(session).map((m) =>
          m.componentName ? (
            entry(m, false)
          ) : !m.alwaysShow && m.children.length === 1 ? (
            entry({ ...m.children[0]!, icon: m.icon }, false)
          ) : (
            <div key={m.path} className="side-group">
              <button
                className={`side-item${m.children.some((c) => c.path === pathname) ? ' within' : ''}`}
                title={folded || m.name.length > LONG_TITLE ? m.name : undefined}
                onClick={() => open(m)}
              >
                <Icon name={m.icon} />
                {!folded && <span>{m.name}</span>}
              </button>
              {!folded && m.children.map((c) => entry(c, true))}
            </div>
          ),
        )}
      </nav>
    </>
  )
}
