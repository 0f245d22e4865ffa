import { pagesApi } from '@zhuguan/contract/features/pages/pages.api.ts'
import type { PageRow } from '@zhuguan/contract/features/pages/pages.record.ts'
import { Drawer, Input } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { message } from '../../kit/notices.ts'
import { RowActions } from '../../kit/RowActions.tsx'

/** The operations of a page that roles can be given, and what they are called. */
export default function PowersDrawer({
  page,
  may,
  onClose,
  onDone,
}: {
  page: PageRow
  may: boolean
  onClose: () => void
  onDone: () => void
}) {
  const [names, setNames] = useState<Record<string, string>>({})
  const keep = (label: string, name: string, undo?: () => void) =>
    void call(pagesApi.editPower, { body: { page_id: page.id, label, name } }).then(
      () => {
        message.success(`已改名为“${name}”`, undo && { label: '撤销', run: undo })
        onDone()
      },
      (e: Error) => message.error(e.message),
    )
  function rename(label: string, was: string) {
    const name = names[label]?.trim()
    if (!name || name === was) return
    keep(label, name, () => {
      setNames((all) => ({ ...all, [label]: was }))
      keep(label, was)
    })
  }
  return (
    <Drawer open title={`${page.name} 的操作权限`} size="min(560px, 100vw)" onClose={onClose}>
      <p className="quiet">
        角色可以单独授予这些操作；名称改完离开输入框就生效。去掉一项，所有角色立即失去它；再加上时不会自动还给他们，要到角色里重新授权。系统管理员不受影响。
      </p>
      <table className="powers">
        <thead>
          <tr>
            <th>名称</th>
            <th>标签</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {page.powers.map((w) => (
            <tr key={w.label}>
              <td>
                {may ? (
                  <Input
                    size="small"
                    aria-label={`${w.label} 的名称`}
                    value={names[w.label] ?? w.name}
                    maxLength={20}
                    onChange={(e) => setNames({ ...names, [w.label]: e.target.value })}
                    onBlur={() => rename(w.label, w.name)}
                    onPressEnter={(e) => e.currentTarget.blur()}
                  />
                ) : (
                  w.name
                )}
              </td>
              <td>
                <code>{w.label}</code>
              </td>
              <td>
                {may && (
                  <RowActions
                    onDone={onDone}
                    actions={[
                      {
                        key: 'del',
                        label: '去掉',
                        confirm: `去掉“${w.name}”后，所有角色都不能再做这个操作。确定吗？`,
                        run: () => call(pagesApi.delPower, { body: { page_id: page.id, label: w.label } }),
                      },
                    ]}
                  />
                )}
              </td>
            </tr>
          ))}
          {page.off.map(({ label, name }) => (
            <tr key={label}>
              <td className="quiet">{name}</td>
              <td>
                <code>{label}</code>
              </td>
              <td>
                {may && (
                  <RowActions
                    onDone={onDone}
                    actions={[
                      {
                        key: 'add',
                        label: '加上',
                        run: () => call(pagesApi.addPower, { body: { page_id: page.id, label, name } }),
                      },
                    ]}
                  />
                )}
              </td>
            </tr>
          ))}
          {page.powers.length + page.off.length === 0 && (
            <tr>
              <td colSpan={3} className="quiet">
                这个页面只有查看，没有单独授予的操作。
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </Drawer>
  )
}
