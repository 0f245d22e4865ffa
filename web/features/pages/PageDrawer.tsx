import { pagesApi } from '@zhuguan/contract/features/pages/pages.api.ts'
import { ICONS, type PageRow } from '@zhuguan/contract/features/pages/pages.record.ts'
import type { Subsystem } from '@zhuguan/contract/features/session/session.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import type { Page } from '@zhuguan/contract/pages.ts'
import { Radio } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { OneField, OwnField, SwitchField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { type Fields, useForm } from '../../kit/form/useForm.ts'
import { Icon } from '../../parts/Icon.tsx'

const SHOWN = '已保存，大家下一次点击时生效'
const YES = ['是', '否'] as const
const isIcon = (name: string): name is (typeof ICONS)[number] => (ICONS as readonly string[]).includes(name)
const factsOf = (row: PageRow) => {
  const { id, version, name, icon, parent_id, visible, keepAlive, memoryRouter, alwaysShow } = row
  const looks = { name, icon: isIcon(icon) ? icon : null, visible, keepAlive, memoryRouter, alwaysShow }
  return { ...looks, id, version, parent_id }
}
interface Props extends DrawerProps {
  rows: PageRow[]
  system: Subsystem
  missing: [string, Page][]
}

/** A group of the menu, or a page of the program put into one. Which pages there are, the program says. */
export default function PageDrawer({ row, ...p }: Props & { row: PageRow | null }) {
  return row ? <EditDrawer {...p} row={row} /> : <AddDrawer {...p} />
}

/** The fields that groups and pages have in common; a page stands in a group as well. */
function Looks({
  of,
  group,
  rows,
  system,
}: Pick<Props, 'rows' | 'system'> & {
  of: Fields<BodyOf<typeof pagesApi.add | typeof pagesApi.edit>>
  group: boolean
}) {
  const groups = rows.filter((r) => r.system === system && !r.componentName)
  return (
    <>
      <TextField of={of} name="name" />
      {!group && (
        <OneField
          clear
          of={of}
          name="parent_id"
          label="分组"
          placeholder="不放在分组里"
          options={groups.map((r) => ({ value: r.id, label: r.name }))}
        />
      )}
      <OwnField of={of} name="icon">
        {(icon, put) => (
          <div className="icons">
            {ICONS.map((name) => (
              <button
                key={name}
                type="button"
                aria-label={`图标 ${name}`}
                aria-pressed={icon === name}
                onClick={() => put(icon === name ? null : name)}
              >
                <Icon name={name} />
              </button>
            ))}
          </div>
        )}
      </OwnField>
      <div className="pair">
        <SwitchField of={of} name="visible" words={YES} hint="在侧边菜单里显示" />
        <SwitchField of={of} name="keepAlive" words={YES} hint="切换页面后保留筛选和位置" />
        <SwitchField of={of} name="memoryRouter" words={YES} hint="再次进入时回到离开时的地址" />
        <SwitchField of={of} name="alwaysShow" words={YES} hint="只有一个页面时也显示分组" />
      </div>
    </>
  )
}

function EditDrawer({ row, rows, system, missing: _none, ...p }: Props & { row: PageRow }) {
  const form = useForm(pagesApi.edit, factsOf(row), {
    latest: () =>
      call(pagesApi.list, { query: { system } }).then((now) =>
        factsOf(now.find((r) => r.id === row.id) ?? row),
      ),
  })
  return (
    <FormDrawer {...p} form={form} title={`编辑 ${row.name}`} done={SHOWN}>
      <Looks of={form} group={!row.componentName} rows={rows} system={system} />
    </FormDrawer>
  )
}

function AddDrawer({ rows, system, missing, ...p }: Props) {
  const [group, setGroup] = useState(missing.length === 0)
  const form = useForm(
    pagesApi.add,
    {
      system,
      name: '',
      icon: null,
      parent_id: null,
      visible: true,
      keepAlive: true,
      memoryRouter: false,
      alwaysShow: false,
      componentName: null,
      path: null,
    },
    { need: [group ? 'path' : 'componentName'] },
  )
  function turn(toGroup: boolean) {
    setGroup(toGroup)
    form.set(toGroup ? { componentName: null, parent_id: null } : { path: null })
  }
  return (
    <FormDrawer {...p} form={form} title="新增" done={SHOWN}>
      <div className="field">
        <span id="page-kind">类型</span>
        <Radio.Group
          aria-labelledby="page-kind"
          value={group}
          onChange={(e) => turn(e.target.value === true)}
          options={[
            { value: true, label: '分组' },
            { value: false, label: '页面', disabled: missing.length === 0 },
          ]}
        />
      </div>
      {group ? (
        <TextField of={form} name="path" example="/report" hint="以 / 开头，只用字母和数字" />
      ) : (
        <OneField
          of={form}
          name="componentName"
          label="页面"
          hint="程序里有、菜单里没有的"
          options={missing.map(([name, m]) => ({ value: name, label: `${m.title}（${name}）` }))}
          also={(id) => ({ name: form.values.name || missing.find(([name]) => name === id)?.[1].title })}
        />
      )}
      <Looks of={form} group={group} rows={rows} system={system} />
    </FormDrawer>
  )
}
