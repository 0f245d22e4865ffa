import { pagesApi } from '@zhuguan/contract/features/pages/pages.api.ts'
import { ICONS, type PageRow } from '@zhuguan/contract/features/pages/pages.record.ts'
import type { Subsystem } from '@zhuguan/contract/features/session/session.record.ts'
import type { Page } from '@zhuguan/contract/pages.ts'
import { Input, Radio, Select, Switch } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { AskDrawer, Field } from '../../kit/AskDrawer.tsx'
import { Icon } from '../../parts/Icon.tsx'

const SWITCHES = {
  visible: ['显示', '在侧边菜单里显示'],
  keepAlive: ['缓存', '切换页面后保留筛选和位置'],
  memoryRouter: ['记住路径', '再次进入时回到离开时的地址'],
  alwaysShow: ['总是显示', '只有一个页面时也显示分组'],
} as const

const NEW = {
  name: '',
  icon: '',
  parent_id: '',
  visible: true,
  keepAlive: true,
  memoryRouter: false,
  alwaysShow: false,
  componentName: '',
  path: '',
}
function factsOf(row: PageRow | null): typeof NEW {
  if (!row) return NEW
  const { name, icon, visible, keepAlive, memoryRouter, alwaysShow, componentName, path } = row
  const parent_id = row.parent_id ?? ''
  return { name, icon, parent_id, visible, keepAlive, memoryRouter, alwaysShow, componentName, path }
}

/** A group of the menu, or a page of the program put into one. Which pages there are, the program says. */
export default function PageDrawer({
  row,
  rows,
  system,
  missing,
  ...p
}: {
  row: PageRow | null
  rows: PageRow[]
  system: Subsystem
  missing: [string, Page][]
  onClose: () => void
  onDone: () => void
}) {
  const [f, setF] = useState(() => factsOf(row))
  const [group, setGroup] = useState(row ? !row.componentName : missing.length === 0)
  const set = (change: Partial<typeof f>) => setF((old) => ({ ...old, ...change }))
  const { componentName, path, ...looks } = f
  const body = {
    ...looks,
    parent_id: group ? undefined : f.parent_id || undefined,
    icon: (f.icon || undefined) as (typeof ICONS)[number] | undefined,
  }
  const send = () =>
    row
      ? call(pagesApi.edit, { body: { ...body, id: row.id, version: row.version } })
      : call(pagesApi.add, { body: { ...body, system, ...(group ? { path } : { componentName }) } })
  const wide = { width: '100%' }
  return (
    <AskDrawer
      {...p}
      title={row ? `编辑 ${row.name}` : '新增'}
      done="已保存，大家下一次点击时生效"
      ready={!!f.name && (row !== null || (group ? !!path : !!componentName))}
      send={send}
    >
      {(errors) => (
        <>
          {!row && (
            <Field label="类型">
              <Radio.Group
                value={group}
                onChange={(e) => setGroup(e.target.value as boolean)}
                options={[
                  { value: true, label: '分组' },
                  { value: false, label: '页面', disabled: missing.length === 0 },
                ]}
              />
            </Field>
          )}
          {!row && !group && (
            <Field label="页面（程序里有、菜单里没有的）" error={errors.componentName}>
              <Select
                style={wide}
                aria-label="页面"
                value={componentName || undefined}
                options={missing.map(([name, m]) => ({ value: name, label: `${m.title}（${name}）` }))}
                onChange={(v) =>
                  set({ componentName: v, name: f.name || missing.find(([n]) => n === v)![1].title })
                }
              />
            </Field>
          )}
          {!row && group && (
            <Field label="路径" error={errors.path}>
              <Input
                value={path}
                maxLength={31}
                placeholder="/ 开头，例如 /report"
                onChange={(e) => set({ path: e.target.value })}
              />
            </Field>
          )}
          <Field label="标题" error={errors.name}>
            <Input value={f.name} maxLength={20} onChange={(e) => set({ name: e.target.value })} />
          </Field>
          {!group && (
            <Field label="分组" error={errors.parent_id}>
              <Select
                allowClear
                style={wide}
                aria-label="分组"
                value={f.parent_id || undefined}
                options={rows
                  .filter((r) => r.system === system && !r.componentName)
                  .map((r) => ({ value: r.id, label: r.name }))}
                onChange={(v?: string) => set({ parent_id: v ?? '' })}
              />
            </Field>
          )}
          <div className="field">
            <span>图标</span>
            <div className="icons" role="group" aria-label="图标">
              {ICONS.map((name) => (
                <button
                  key={name}
                  type="button"
                  aria-label={`图标 ${name}`}
                  aria-pressed={f.icon === name}
                  onClick={() => set({ icon: f.icon === name ? '' : name })}
                >
                  <Icon name={name} />
                </button>
              ))}
            </div>
          </div>
          {(Object.keys(SWITCHES) as (keyof typeof SWITCHES)[]).map((k) => (
            <Field key={k} label={`${SWITCHES[k][0]}：${SWITCHES[k][1]}`} error={errors[k]}>
              <Switch checked={f[k]} onChange={(v) => set({ [k]: v })} />
            </Field>
          ))}
        </>
      )}
    </AskDrawer>
  )
}
