import { useQuery } from '@tanstack/react-query'
import { pagesApi } from '@zhuguan/contract/features/pages/pages.api.ts'
import type { PageRow } from '@zhuguan/contract/features/pages/pages.record.ts'
import { rolesApi } from '@zhuguan/contract/features/roles/roles.api.ts'
import {
  dataScope,
  type RoleDetail,
  type RoleRow,
  roleStatus,
} from '@zhuguan/contract/features/roles/roles.record.ts'
import { type Subsystem, subsystem } from '@zhuguan/contract/features/session/session.record.ts'
import { EVERY_PERMISSION } from '@zhuguan/contract/kit/permits.ts'
import { Checkbox, Tree, type TreeDataNode } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { CodeField, OwnField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { useActor, useSession } from '../../parts/session.ts'

import './roles.css'

const COPY_SUFFIX = '（副本）'
const power = (page: string, label: string) => `${page} ${label}`
const NEW = {
  code: '',
  name: '',
  dataScope: dataScope.code.branches,
  remark: '',
  roundOff: '0',
  givePercent: '0',
  status: roleStatus.code.active,
  pageIds: [],
  labels: [],
}

function titleOf(role: RoleRow | null, copy: boolean, may: boolean): string {
  if (!role) return '新增角色'
  if (copy) return `复制 ${role.name}`
  return `${may ? '授权' : '查看'} ${role.name}`
}

/** Facts and grants of a role at the left; at the right the menus that somebody with only this role will see. */
export default function RoleDrawer({
  role,
  copy,
  may,
  ...p
}: DrawerProps & {
  role: RoleRow | null
  copy?: boolean
  may: boolean
}) {
  const pages =
    useQuery({ queryKey: [pagesApi.list.path], queryFn: ({ signal }) => call(pagesApi.list, {}, signal) })
      .data ?? []
  const [people, setPeople] = useState<RoleDetail['people']>([])
  const kept = copy ? null : role
  const latest = async () => {
    const d = await call(rolesApi.details, { query: { id: role!.id } })
    const { id, version, dataScope: scope, remark, roundOff, givePercent, status, pageIds, labels } = d
    const own = { dataScope: scope, remark, roundOff, givePercent, status, pageIds, labels }
    if (copy) return { ...own, code: `${d.code}_2`, name: d.name + COPY_SUFFIX }
    setPeople(d.people)
    return { ...own, code: d.code, name: d.name, id, version }
  }
  const form = useForm(
    kept ? rolesApi.edit : rolesApi.add,
    role ? null : NEW,
    role ? { latest, frozen: !may } : {},
  )
  const pageIds = form.values.pageIds ?? []
  const labels = form.values.labels ?? []
  const { info } = useSession()
  const actor = useActor()
  const everything = actor.permissions.includes(EVERY_PERMISSION)
  const mine = new Set([...info.roles, ...info.rolesJf])
  // Powers stand under the page they belong to; what the editor does not hold themself is grey.
  const nodeOf = (page: PageRow): TreeDataNode => ({
    key: page.id,
    title: page.name + (page.visible ? '' : '（隐藏）'),
    disableCheckbox: !may || (!!page.componentName && !everything && !mine.has(page.componentName)),
    children: [
      ...pages.filter((c) => c.parent_id === page.id).map(nodeOf),
      ...page.powers.map((w) => ({
        key: power(page.id, w.label),
        title: w.name,
        className: 'power',
        isLeaf: true,
        disableCheckbox: !may || (!everything && !actor.permissions.includes(w.label)),
      })),
    ],
  })
  const checked = [
    ...pageIds,
    ...pages.flatMap((g) =>
      g.powers.filter((w) => labels.includes(w.label)).map((w) => power(g.id, w.label)),
    ),
  ]
  const groups = new Set(pages.filter((g) => !g.componentName).map((g) => g.id))
  /** A group shows what its pages say: all, some or none of them. */
  const groupState = (some: boolean) =>
    [...groups].filter((id) => {
      const own = pages.filter((c) => c.parent_id === id)
      const held = own.filter((c) => pageIds.includes(c.id)).length
      return some ? held > 0 && held < own.length : own.length > 0 && held === own.length
    })
  const systems = subsystem.values.filter((s) => pages.some((g) => g.system === s))
  function check(keys: readonly string[], system: Subsystem) {
    const here = new Set(pages.filter((g) => g.system === system).map((g) => g.id))
    const powers = keys.filter((k) => k.includes(' '))
    // A power without its page opens nothing: the page comes with it.
    const hereLabels = new Set(
      pages.filter((g) => here.has(g.id)).flatMap((g) => g.powers.map((w) => w.label)),
    )
    form.set({
      pageIds: [
        ...pageIds.filter((id) => !here.has(id)),
        ...new Set([
          ...keys.filter((k) => !k.includes(' ') && !groups.has(k)),
          ...powers.map((k) => k.split(' ')[0]!),
        ]),
      ],
      labels: [...labels.filter((l) => !hereLabels.has(l)), ...powers.map((k) => k.split(' ')[1]!)],
    })
  }
  /** A click on a group takes or gives all its pages and their powers; on a page, the page; on a power, the power. */
  function toggle(key: string, on: boolean, system: Subsystem) {
    const under = (id: string): string[] => [
      id,
      ...pages.filter((c) => c.parent_id === id).flatMap((c) => under(c.id)),
      ...(pages.find((g) => g.id === id)?.powers.map((w) => power(id, w.label)) ?? []),
    ]
    const touched = new Set(groups.has(key) || !on ? under(key) : [key])
    check(
      on
        ? [...new Set([...checked, ...touched])].filter((k) => allowed(k))
        : checked.filter((k) => !touched.has(k)),
      system,
    )
  }
  const allowed = (key: string): boolean => {
    const [id, label] = key.split(' ')
    const page = pages.find((g) => g.id === id)
    return (
      everything ||
      checked.includes(key) ||
      (label ? actor.permissions.includes(label) : !page?.componentName || mine.has(page.componentName))
    )
  }
  const shown = (system: Subsystem) =>
    pages
      .filter((g) => g.system === system && !g.componentName)
      .map((g) => ({
        group: g,
        pages: pages.filter((c) => c.parent_id === g.id && c.visible && pageIds.includes(c.id)),
      }))
      .filter((g) => g.pages.length)
  const loose = (system: Subsystem) =>
    pages.filter(
      (g) => g.system === system && !g.parent_id && g.componentName && g.visible && pageIds.includes(g.id),
    )
  return (
    <FormDrawer
      {...p}
      form={form}
      size="min(1040px, 100vw)"
      title={titleOf(role, !!copy, may)}
      done={() => ({
        text: kept
          ? `${form.values.name} 已保存，有这个角色的人下一次点击时生效`
          : `已新增 ${form.values.name}`,
      })}
      may={may}
    >
      <div className="role-editor">
        <section>
          {role?.own && !copy && (
            <p className="quiet lead">这是您自己的角色，只能查看，请由其他管理员修改。</p>
          )}
          <div className="pair">
            <TextField of={form} name="name" />
            <TextField of={form} name="code" example="site_clerk" />
            <CodeField of={form} name="dataScope" codes={dataScope} />
            <CodeField of={form} name="status" codes={roleStatus} />
          </div>
          <TextField of={form} name="remark" />
          <div className="pair">
            <TextField of={form} name="roundOff" hint="没有“优惠/抹零”权限时，一张报价单可以抹零的钱" />
            <TextField of={form} name="givePercent" hint="优惠和低于售价的部分合起来，占按售价算的百分比" />
          </div>
          <OwnField of={form} name="pageIds" label="页面与操作">
            {() => (
              <>
                {everything && (
                  <Checkbox
                    checked={labels.includes(EVERY_PERMISSION)}
                    disabled={!may}
                    onChange={(e) =>
                      form.set({
                        labels: e.target.checked
                          ? [...labels, EVERY_PERMISSION]
                          : labels.filter((l) => l !== EVERY_PERMISSION),
                      })
                    }
                  >
                    全部操作权限（系统管理员）
                  </Checkbox>
                )}
                {systems.map((s) => (
                  <details key={s} open={shown(s).length > 0 || systems.length === 1 || !role}>
                    <summary>{subsystem.label(s)}</summary>
                    <Tree
                      checkable
                      checkStrictly
                      selectable={false}
                      treeData={pages.filter((g) => g.system === s && !g.parent_id).map(nodeOf)}
                      checkedKeys={{
                        checked: [...checked, ...groupState(false)],
                        halfChecked: groupState(true),
                      }}
                      defaultExpandedKeys={pages.filter((g) => !g.componentName).map((g) => g.id)}
                      onCheck={(_keys, { node, checked: on }) => toggle(String(node.key), on, s)}
                    />
                  </details>
                ))}
              </>
            )}
          </OwnField>
        </section>
        <aside>
          <h3>有这个角色的人看到的菜单</h3>
          {pageIds.length === 0 && <p className="quiet">还没有选页面，登录后什么也看不到。</p>}
          {systems
            .filter((s) => shown(s).length || loose(s).length)
            .map((s) => (
              <div key={s} className="role-menu">
                <b>{subsystem.label(s)}</b>
                <ul>
                  {loose(s).map((c) => (
                    <li key={c.id}>{c.name}</li>
                  ))}
                  {shown(s).map((g) => (
                    <li key={g.group.id}>
                      {g.group.name}
                      <ul>
                        {g.pages.map((c) => (
                          <li key={c.id}>
                            {c.name}
                            {c.powers.some(
                              (w) => labels.includes(w.label) || labels.includes(EVERY_PERMISSION),
                            ) && (
                              <small>
                                {c.powers
                                  .filter(
                                    (w) => labels.includes(w.label) || labels.includes(EVERY_PERMISSION),
                                  )
                                  .map((w) => w.name)
                                  .join('、')}
                              </small>
                            )}
                          </li>
                        ))}
                      </ul>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          {people.length > 0 && (
            <>
              <h3>谁有这个角色（{people.length}）</h3>
              <ul className="role-people">
                {people.map((u) => (
                  <li key={u.id}>
                    <LinkTo page="UserList" query={{ keyword: u.userName }}>
                      {u.nickname}
                    </LinkTo>{' '}
                    <small>
                      {u.userName} {u.bc_name}
                    </small>
                  </li>
                ))}
              </ul>
            </>
          )}
        </aside>
      </div>
    </FormDrawer>
  )
}
