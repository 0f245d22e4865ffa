import { invalid, Refused } from './refuse.ts'

/** Index → the field that is taken and its sentence: what a form says when it looks, and what the second of two hands hears. */
const TAKEN = new Map<string, readonly [field: string, sentence: string]>([
  ['companies_tenant_id_code_key', ['code', '已经有这个编号的分公司']],
  ['companies_name', ['bc_name', '已经有同名的分公司']],
  ['stores_name', ['name', '这个分公司已经有同名的门店']],
  ['roles_tenant_id_code_key', ['code', '已经有这个编码的角色']],
  ['roles_name', ['name', '已经有同名的角色']],
  ['users_name', ['userName', '这个账号已被使用']],
  ['account_names_pkey', ['userName', '这个账号已被使用']],
  ['workers_tenant_id_w_id_key', ['w_id', '这个工号已被使用']],
  ['workers_user', ['user_id', '这个账号已对应另一位工人']],
  // Another store's customer is not named to this one; who has it may have been faster by a moment.
  ['customer_numbers_pkey', ['phone', '这个电话已经是本分公司一位客户的，请刷新后查找或与分公司确认']],
  ['channels_tenant_id_name_key', ['name', '已经有同名的通道']],
  ['cases_living', ['site_id', '这个工地已经有一个案例，请在案例管理里找到它']],
  ['devices_living', ['sns', '这个序列号已经在库']],
])
const UNIQUE_VIOLATION = '23505'

/** A refusal for what a unique index did not let in; undefined for any other error. */
export function takenOf(error: unknown): Refused | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string }
  if (code !== UNIQUE_VIOLATION) return undefined
  const known = TAKEN.get(constraint ?? '')
  return known ? invalid(...known) : new Refused('同样的内容刚刚被别人保存了，请刷新后再看')
}
