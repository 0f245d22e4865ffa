import { useQueryClient } from '@tanstack/react-query'
import { productCategoriesApi } from '@zhuguan/contract/features/products/products.api.ts'
import { CATEGORY_LEVELS, type CategoryRow } from '@zhuguan/contract/features/products/products.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { Drawer } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { CodeField, NumberField, OneField, PickField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { type Fields, useForm } from '../../kit/form/useForm.ts'
import { RowActions } from '../../kit/RowActions.tsx'
import { categoryPaths, findReceivers, receiverNamed, useCategories } from '../../parts/goods.tsx'
import { Granted } from '../../parts/granted.tsx'
import { useActor } from '../../parts/session.ts'

import '../../kit/plainTable.css'

/** Categories and what they say for their products. */
export default function CategoriesDrawer({ onClose, onDone }: DrawerProps) {
  const all = useCategories()
  const mayEdit = hasPermission(useActor(), 'product:category')
  const client = useQueryClient()
  const [opened, setOpened] = useState<{ category: CategoryRow | null } | null>(null)
  const byId = new Map(all.map((c) => [c.id, c]))
  const again = () => {
    void client.invalidateQueries({ queryKey: [productCategoriesApi.list.path] })
    onDone()
  }
  return (
    <Drawer open title="品类" size="min(760px, 100vw)" onClose={onClose}>
      <div className="categories-head">
        <p className="quiet">
          商品自己没有写的阶段、商家和备货天数，按它的品类；品类也没有写的，按上级品类。
        </p>
        <Granted needs="product:category">
          <button className="button primary" onClick={() => setOpened({ category: null })}>
            新增品类
          </button>
        </Granted>
      </div>
      {all.length === 0 ? (
        <p className="quiet">还没有品类。</p>
      ) : (
        <table className="plain-table">
          <thead>
            <tr>
              <th>品类</th>
              <th>施工阶段</th>
              <th>商家</th>
              <th className="right">备货天数</th>
              <th className="right">商品</th>
              {mayEdit && <th>操作</th>}
            </tr>
          </thead>
          <tbody>
            {categoryPaths(all).map(([id, path]) => {
              const c = byId.get(id)!
              return (
                <tr key={id}>
                  <td>{path}</td>
                  <td>{c.stage ? siteStage.label(c.stage) : inherited(c)}</td>
                  <td>{c.receiverName || inherited(c)}</td>
                  <td className="right">{c.leadDays ?? inherited(c)}</td>
                  <td className="right">{c.products}</td>
                  {mayEdit && (
                    <td>
                      <RowActions
                        onDone={again}
                        actions={[
                          { key: 'edit', label: '编辑', open: () => setOpened({ category: c }) },
                          {
                            key: 'remove',
                            label: '删除',
                            confirm: `删除品类 ${c.name}？`,
                            why: c.products ? `还有 ${c.products} 个商品` : undefined,
                            run: () =>
                              call(productCategoriesApi.remove, { body: { id: c.id, version: c.version } }),
                          },
                        ]}
                      />
                    </td>
                  )}
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      {opened && <CategoryDrawer {...opened} all={all} onClose={() => setOpened(null)} onDone={again} />}
    </Drawer>
  )
}

/** What a category does not say, the one above it says; above the first there is none. */
const inherited = (c: CategoryRow) => (c.parent_id === null ? '--' : '按上级')

const levelsOf = (path: string) => path.split(' / ').length
const { add, edit } = productCategoriesApi
interface Opened extends DrawerProps {
  all: readonly CategoryRow[]
}
function CategoryDrawer({ category, ...p }: Opened & { category: CategoryRow | null }) {
  return category ? <EditCategory {...p} category={category} /> : <AddCategory {...p} />
}
function AddCategory({ all, ...p }: Opened) {
  const form = useForm(add, { parent_id: null, name: '', stage: null, receiver_id: null, leadDays: null })
  const above = categoryPaths(all).filter(([, path]) => levelsOf(path) < CATEGORY_LEVELS)
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title="新增品类"
      done={() => ({ text: `${form.values.name} 已新增` })}
    >
      <OneField
        of={form}
        name="parent_id"
        clear
        placeholder="没有上级"
        options={above.map(([value, label]) => ({ value, label }))}
      />
      <Facts of={form} />
    </FormDrawer>
  )
}
function EditCategory({ category, all: _all, ...p }: Opened & { category: CategoryRow }) {
  const { id, version, name, stage, receiver_id, leadDays } = category
  const form = useForm(edit, { id, version, name, stage, receiver_id, leadDays })
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title={`编辑品类 ${name}`}
      done={() => ({ text: `${form.values.name} 已保存` })}
    >
      <Facts of={form} />
    </FormDrawer>
  )
}
const Facts = ({ of }: { of: Fields<BodyOf<typeof add | typeof edit>> }) => (
  <>
    <TextField of={of} name="name" example="瓷砖" />
    <CodeField of={of} name="stage" codes={siteStage} clear placeholder="按上级" />
    <PickField of={of} name="receiver_id" find={findReceivers} nameOf={receiverNamed} />
    <NumberField of={of} name="leadDays" unit="天" />
  </>
)
