import { useQuery, useQueryClient } from '@tanstack/react-query'
import { pagesApi } from '@zhuguan/contract/features/pages/pages.api.ts'
import { ADMIN_PAGES, type PageRow } from '@zhuguan/contract/features/pages/pages.record.ts'
import { type Subsystem, subsystem } from '@zhuguan/contract/features/session/session.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'
import { Tree, type TreeDataNode } from 'antd'
import { useEffect, useState } from 'react'

import { call } from '../../kit/api.ts'
import { withControls } from '../../kit/Controls.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { usePage, useParam } from '../../kit/page.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { useActor } from '../../parts/session.ts'
import { useLogLink } from '../../parts/useLogLink.ts'

import './pages.css'

const PageDrawer = lazyPart(() => import('./PageDrawer.tsx'))
const PowersDrawer = lazyPart(() => import('./PowersDrawer.tsx'))

/** The menus as a tree: whoever is signed in sees a change at the next click, without a new build. */
function PageListPage() {
  const page = usePage()
  const client = useQueryClient()
  const actor = useActor()

  const system = (useParam('system') as Subsystem | null) ?? 'xc'
  const [open, setOpen] = useState<
    { kind: 'edit'; row: PageRow | null } | { kind: 'powers'; row: PageRow } | null
  >(null)
  const {
    data: all = [],
    error,
    refetch,
    isPending,
  } = useQuery({
    queryKey: [pagesApi.list.path],
    queryFn: ({ signal }) => call(pagesApi.list, {}, signal),
    enabled: page.active,
  })
  // Roles are changed elsewhere, and their numbers stand here.
  useEffect(() => void (page.active && refetch()), [page.active])
  const refresh = () => void client.invalidateQueries({ queryKey: [pagesApi.list.path] })
  const may = hasPermission(actor, 'menu:edit')
  const rows = all.filter((r) => r.system === system)
  const childrenOf = (id: string | null) => rows.filter((r) => r.parent_id === id)
  /** Pages of the program that stand in no menu. */
  const missing = Object.entries(PAGES).filter(
    ([name, p]) => p.systems.includes(system) && !all.some((r) => r.componentName === name),
  )

  async function drop(dragged: PageRow, onto: PageRow, into: boolean, after: boolean) {
    const parent = into && !onto.componentName ? onto.id : onto.parent_id
    const order = childrenOf(parent)
      .filter((r) => r.id !== dragged.id)
      .map((r) => r.id)
    order.splice(into ? 0 : order.indexOf(onto.id) + (after ? 1 : 0), 0, dragged.id)
    const before = { parent_id: dragged.parent_id, ids: childrenOf(dragged.parent_id).map((r) => r.id) }
    try {
      await call(pagesApi.sort, { body: { parent_id: parent, ids: order } })
      message.success('已调整顺序，大家下一次点击时生效', {
        label: '撤销',
        run: () =>
          void call(pagesApi.sort, { body: before }).then(refresh, (e: Error) => message.error(e.message)),
      })
    } catch (e) {
      message.error((e as Error).message)
    }
    refresh()
  }
  const node = (r: PageRow): TreeDataNode => ({
    key: r.id,
    title: (
      <Line
        row={r}
        may={may}
        onEdit={() => setOpen({ kind: 'edit', row: r })}
        onPowers={() => setOpen({ kind: 'powers', row: r })}
        onDone={refresh}
      />
    ),
    children: childrenOf(r.id).map(node),
  })
  return (
    <section className="card menu-page" aria-busy={isPending}>
      <div className="list-bar">
        <div className="segments" role="tablist" aria-label="子系统">
          {subsystem.options.map((o) => (
            <button
              key={o.value}
              role="tab"
              aria-selected={o.value === system}
              onClick={() => page.go(`${page.path}?system=${o.value}`, { replace: true })}
            >
              {o.label}
            </button>
          ))}
        </div>
        <span className="quiet grow">
          {may ? '拖动可以调整顺序和分组' : ''}
          {missing.length > 0 && `；还有 ${missing.length} 个页面没有放进菜单`}
        </span>
        {may && (
          <button className="button primary" onClick={() => setOpen({ kind: 'edit', row: null })}>
            新增
          </button>
        )}
      </div>
      <Head />
      {error && <Failed error={error} again={() => void refetch()} />}
      {!error && !isPending && rows.length === 0 && (
        <div className="empty">
          <h2>{subsystem.label(system)}还没有菜单</h2>
          <p className="quiet">先新增一个分组，再把页面放进去。</p>
        </div>
      )}
      {!error && (isPending || rows.length > 0) && (
        <Tree
          blockNode
          selectable={false}
          draggable={may && { icon: GRIP }}
          defaultExpandAll
          key={`${system}${isPending ? '' : ' ready'}`}
          treeData={childrenOf(null).map(node)}
          onDrop={({ dragNode, node: onto, dropToGap, dropPosition }) => {
            const [a, b] = [rows.find((r) => r.id === dragNode.key)!, rows.find((r) => r.id === onto.key)!]
            void drop(a, b, !dropToGap, dropPosition > Number(onto.pos.split('-').at(-1)))
          }}
        />
      )}
      {open?.kind === 'edit' && (
        <PageDrawer
          row={open.row}
          rows={all}
          system={system}
          missing={missing}
          onClose={() => setOpen(null)}
          onDone={refresh}
        />
      )}
      {open?.kind === 'powers' && (
        <PowersDrawer
          page={all.find((r) => r.id === open.row.id) ?? open.row}
          may={may}
          onClose={() => setOpen(null)}
          onDone={refresh}
        />
      )}
    </section>
  )
}

const GRIP = (
  <span className="grip" aria-hidden="true">
    ⠿
  </span>
)
const Head = () => (
  <div className="menu-head" aria-hidden="true">
    <span>标题</span>
    <span>路由名</span>
    <span>路径</span>
    <span>显示</span>
    <span>缓存</span>
    <span>排序</span>
    <span>操作权限</span>
    <span>角色</span>
    <span />
  </div>
)

function Line({
  row,
  may,
  onEdit,
  onPowers,
  onDone,
}: {
  row: PageRow
  may: boolean
  onEdit: () => void
  onPowers: () => void
  onDone: () => void
}) {
  const log = useLogLink()('page', row.id)
  const keep = ADMIN_PAGES.includes(row.componentName) ? '没有这个页面就没有人能再管理权限了' : undefined
  return (
    <div className="menu-line">
      <span className="menu-name">
        {row.icon && <Icon name={row.icon} size={16} />}
        {row.name}
      </span>
      <span>{row.componentName || '分组'}</span>
      <span title={row.path}>{row.path}</span>
      <span>{row.visible ? <State tone="ok">显示</State> : <State tone="grey">隐藏</State>}</span>
      <span>{row.keepAlive ? '缓存' : '--'}</span>
      <span>{row.sort}</span>
      <span>
        {row.componentName ? (
          <button className="text-button" onClick={onPowers}>
            {row.powers.length ? `${row.powers.length} 项` : '无'}
          </button>
        ) : (
          ''
        )}
      </span>
      <span>{row.componentName ? row.roles : ''}</span>
      <RowActions
        onDone={onDone}
        shown={2}
        actions={[
          ...(may
            ? [
                { key: 'edit', label: '编辑', open: onEdit },
                {
                  key: 'delete',
                  label: '删除',
                  danger: true,
                  why: keep,
                  confirm: row.componentName
                    ? `删除后，有“${row.name}”的 ${row.roles} 个角色都看不到它了。确定删除吗？`
                    : `确定删除分组“${row.name}”吗？`,
                  run: () => call(pagesApi.del, { body: { id: row.id, version: row.version } }),
                },
              ]
            : []),
          ...log,
        ]}
      />
    </div>
  )
}

export default withControls(PageListPage)
