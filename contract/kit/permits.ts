/** What the rules need to know of a person; the session user on both sides of the wire has these fields. */
export interface Actor {
  id: string
  roles: readonly string[]
  permissions: readonly string[]
  /** People who are away today and for whom this person stands in. */
  standsFor?: readonly string[]
}

/** Grants every operation (docs/product.md). */
export const EVERY_PERMISSION = '*:*:*'
/** An operation's label, `noun:verb`, or the wildcard. */
export const PERMISSION_LABEL = /^([a-z]+:[a-z]+|\*:\*:\*)$/
const ADMIN = 'admin'

const labelled = (labels: readonly string[]) => {
  if (!Array.isArray(labels) || labels.length === 0 || labels.some((l) => !l))
    throw new Error('请设置操作权限标签值')
}

/** True when the person holds one of the labels or the wildcard. An empty list is a mistake of ours and throws. */
export function hasAnyPermission(actor: Pick<Actor, 'permissions'>, labels: readonly string[]): boolean {
  labelled(labels)
  return actor.permissions.includes(EVERY_PERMISSION) || labels.some((l) => actor.permissions.includes(l))
}

export function hasEveryPermission(actor: Pick<Actor, 'permissions'>, labels: readonly string[]): boolean {
  labelled(labels)
  return actor.permissions.includes(EVERY_PERMISSION) || labels.every((l) => actor.permissions.includes(l))
}

/** What waits for a person waits for who stands in for them today, too. */
export const waitsFor = (actor: Pick<Actor, 'id' | 'standsFor'>, id: string | null): boolean =>
  id !== null && (id === actor.id || !!actor.standsFor?.includes(id))

export const hasPermission = (actor: Pick<Actor, 'permissions'>, label: string) =>
  hasAnyPermission(actor, [label])

export function hasAnyRole(actor: Pick<Actor, 'roles'>, roles: readonly string[]): boolean {
  labelled(roles)
  return actor.roles.includes(ADMIN) || roles.some((r) => actor.roles.includes(r))
}
