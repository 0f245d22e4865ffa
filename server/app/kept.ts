import type { KeptKind } from '../features/keeping/keeping.service.ts'
import { HOME_KINDS } from './kept-homes.ts'
import { HOUSE_KINDS } from './kept-house.ts'
import { PEOPLE_KINDS } from './kept-people.ts'

/**
 * Everything that is kept: for how long, why, and who sees it. Every table and every kind of file belongs to one kind,
 * which a test compares with the database: nothing is kept without anybody having said so. 个人信息登记 is printed
 * from here.
 */
export const KINDS: readonly KeptKind[] = [...HOME_KINDS, ...PEOPLE_KINDS, ...HOUSE_KINDS]
