import { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import { accountsImport } from '@zhuguan/contract/features/users/accounts.import.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'

import { Refused } from '../../kit/refuse.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { asErrors, type CellError, type Checked, type Importer } from '../imports/imports.service.ts'
import { branchesOf, codeOf, issuesOf, NO_BRANCH } from '../imports/reading.service.ts'
import { type AccountFacts, addAccount, checkFacts } from './accounts.service.ts'

/** A first password takes a moment to protect. */
const STEP = 100
const TAKEN = '这个账号已经有人用了'
const several = (text: string) =>
  text
    .split(/[、,，;；]/)
    .map((t) => t.trim())
    .filter(Boolean)

export const accountsImporter: Importer<AccountFacts> = {
  def: accountsImport,
  step: STEP,
  keys: (c) => (c.userName ? [{ column: 'userName', key: c.userName.toLowerCase() }] : []),
  async check(tx, call, rows) {
    const { scope } = call.user
    const branches = await branchesOf(tx, scope)
    const all = async (name: string, sql: string) =>
      (await tx.query(name, row({ key: text, id: uuid }), sql, [scope.tenant])).rows
    const stores = new Map(
      (
        await all(
          'accounts.stores',
          `SELECT bc_id || '|' || name AS key, id FROM stores WHERE tenant_id = $1 AND status = 1`,
        )
      ).map((s) => [s.key, s.id]),
    )
    const roles = new Map(
      (
        await all('accounts.roles', 'SELECT name AS key, id FROM roles WHERE tenant_id = $1 AND status = 1')
      ).map((r) => [r.key, r.id]),
    )
    const taken = new Set(
      (
        await tx.query(
          'accounts.names',
          row({ name: text }),
          `SELECT lower(user_name) AS name
           FROM users
           WHERE tenant_id = $1 AND lower(user_name) = ANY ($2) AND deleted_at IS NULL`,
          [scope.tenant, rows.map((r) => r.userName!.toLowerCase())],
        )
      ).rows.map((r) => r.name),
    )
    const checked: Checked<AccountFacts>[] = []
    for (const r of rows) {
      const errors: CellError[] = []
      const bc = branches.get(r.bc_id!)
      if (r.bc_id && !bc) errors.push({ column: 'bc_id', text: NO_BRANCH })
      const ids = (column: string, known: ReadonlyMap<string, string>, prefix = '') =>
        several(r[column]!).map((name) => {
          const id = known.get(prefix + name)
          if (!id) errors.push({ column, text: `没有“${name}”` })
          return id ?? ''
        })
      const post = codeOf(principalPost, r.post!)
      if (typeof post === 'object') errors.push({ column: 'post', text: post.error })
      if (taken.has(r.userName!.toLowerCase())) errors.push({ column: 'userName', text: TAKEN })
      const facts = {
        userName: r.userName,
        nickname: r.nickname,
        phone: r.phone,
        bc_id: bc,
        post: typeof post === 'object' ? undefined : post,
        roles: ids('roles', roles),
        stores: ids('stores', stores, `${bc}|`),
      }
      const read = accountsApi.add.body.safeParse(facts)
      if (!read.success)
        errors.push(...issuesOf(read.error).filter((e) => !errors.some((x) => x.column === e.column)))
      // Whether the caller may give these roles in this place is asked as the page asks it.
      if (read.success && errors.length === 0)
        await checkFacts(tx, call, read.data).catch((e: Error) => void errors.push(...asErrors(e, 'roles')))
      checked.push(errors.length || !read.success ? { errors } : { value: read.data })
    }
    return checked
  },
  async store(tx, call, values) {
    const stored = []
    for (const facts of values) {
      stored.push(
        await addAccount(tx, call, facts).then(
          ({ id, password }) => ({ id, handed: { name: facts.userName, secret: password } }),
          (e: Error) => {
            if (!(e instanceof Refused)) throw e
            return asErrors(e, 'userName')[0]!
          },
        ),
      )
    }
    return stored
  },
}
