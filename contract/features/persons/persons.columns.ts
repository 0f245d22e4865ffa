import { code, columnsOf, day, text, time } from '../../kit/columns.ts'
import type { personsApi } from './persons.api.ts'
import { personAsk, personKind, personState } from './persons.record.ts'

export const personColumns = columnsOf<typeof personsApi.list>()({
  no: text('编号', 'no', { fixed: true }),
  ask: code('请求', 'ask', personAsk),
  kind: code('什么人', 'kind', personKind),
  name: text('本人', 'name'),
  state: code('进度', 'state', personState),
  due: day('答复期限', 'due', { sort: 'due' }),
  received: time('收到时间', 'receivedAt', { sort: 'receivedAt' }),
  by: text('登记人', 'receivedBy', { wide: true }),
  verified: text('核实人', 'verifiedBy', { wide: true }),
  bc: text('分公司', 'bc_name'),
})
