import { defineActions } from '../../kit/actions.ts'
import { type PackageRow, packageStatus } from './packages.record.ts'

const { draft, published, stopped } = packageStatus.code
type State = Pick<PackageRow, 'status' | 'draft'>
/** docs/states.md */
export const packageActions = defineActions<State>()('status', packageStatus, {
  edit: { label: '编辑', from: [draft], to: draft, permission: 'package:edit', asks: true },
  publish: { label: '发布', from: [draft], to: published, permission: 'package:publish' },
  /** A published version stays as it is: what changes is its successor. */
  renew: {
    label: '编辑新版本',
    from: [published, stopped],
    to: { [published]: published, [stopped]: stopped },
    permission: 'package:edit',
    asks: true,
    unless: (p) => (p.draft ? '这个套餐已经有一份草稿，请直接编辑草稿' : undefined),
  },
  stop: { label: '停用', from: [published], to: stopped, permission: 'package:publish', reason: true },
})
