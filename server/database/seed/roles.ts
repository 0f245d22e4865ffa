import { FIRST_ROLES, type RoleCode } from '@zhuguan/contract/kit/page.ts'
import { isPage, type PageName } from '@zhuguan/contract/pages.ts'
import { RIGHTS } from '@zhuguan/contract/permissions.ts'

export interface SeedRole {
  code: string
  name: string
  scope: 'tenant' | 'branches' | 'stores' | 'ownSites'
  pages: readonly PageName[]
  powers: readonly string[]
}
const EVERYTHING = ['*:*:*']

const holds = (roles: readonly string[], code: string) => code === 'admin' || roles.includes(code)
const pagesOf = (code: RoleCode) =>
  Object.keys(RIGHTS)
    .filter(isPage)
    .filter((name) => holds(RIGHTS[name]!.roles, code))
const powersOf = (code: RoleCode) =>
  Object.values(RIGHTS).flatMap(({ powers = {} }) =>
    Object.keys(powers).filter((label) => powers[label]!.roles.some((holder) => holder === code)),
  )

/** The roles that a group begins with, as each feature's `noun.pages.ts` says. */
export const SEED_ROLES: readonly SeedRole[] = (Object.keys(FIRST_ROLES) as RoleCode[]).map((code) => ({
  code,
  ...FIRST_ROLES[code],
  pages: pagesOf(code),
  powers: code === 'admin' ? EVERYTHING : powersOf(code),
}))
