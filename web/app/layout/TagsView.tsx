import { Dropdown } from 'antd'
import type { Dispatch, SetStateAction } from 'react'
import { useNavigate } from 'react-router'
import { landing } from '../../parts/session.ts'
import type { Tab } from '../Shell.tsx'
import { Icon } from './Icon.tsx'

/** Open pages as tabs; kept pages keep their state. */
export function TagsView({ tabs, current, onTabs }: { tabs: Tab[]; current: string; onTabs: Dispatch<SetStateAction<Tab[]>> }) {
  const navigate = useNavigate()
  const address = (t: Tab) => t.path + t.search
  function keep(left: Tab[]) {
    onTabs(left)
    if (!left.some((t) => t.key === current)) void navigate(left.length ? address(left.at(-1)!) : landing())
  }
  return (
    <div className="tags" role="tablist" aria-label="打开的页面">
      {tabs.map((t, i) => (
        <Dropdown
          key={t.key}
          trigger={['contextMenu']}
          menu={{
            items: [{ key: 'refresh', label: '刷新' }, { key: 'pin', label: t.pinned ? '取消固定' : '固定' }, { key: 'others', label: '关闭其他' }, { key: 'right', label: '关闭右侧' }, { key: 'all', label: '关闭全部' }],
            onClick: ({ key }) => {
              if (key === 'refresh') void navigate(`/redirect${address(t)}`)
              else if (key === 'pin') onTabs(tabs.map((x) => (x === t ? { ...x, pinned: !x.pinned } : x)))
              else keep(tabs.filter((x, j) => x.pinned || (key === 'others' ? x === t : key === 'right' ? j <= i : false)))
            },
          }}
        >
          <span className={`tag${t.key === current ? ' on' : ''}`}>
            <button role="tab" aria-selected={t.key === current} onClick={() => void navigate(address(t))}>{t.title}</button>
            {t.pinned ? <Icon name="pin" size={12} /> : <button className="tag-close" aria-label={`关闭${t.title}`} onClick={() => keep(tabs.filter((x) => x !== t))}><Icon name="close" size={12} /></button>}
          </span>
        </Dropdown>
      ))}
    </div>
  )
}
