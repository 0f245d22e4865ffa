import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { amount } from '../../kit/decimals.ts'
import { reason } from '../../kit/fields.ts'
import { commaList, day, optional, uuid } from '../../kit/paging.ts'
import { customerSource } from './customers.record.ts'
import { funnelBy, signingBoard, targetRow } from './signing-board.record.ts'

/** So many signatures a month are aimed at, at most. */
export const MOST_PEOPLE = 10_000
const PAGES = ['page:SigningBoard']
const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: '月份格式应为 2026-01' })
  .meta({ title: '月份' })

export const signingBoardApi = defineApi({
  /** Without days: the month that goes on. */
  read: {
    method: 'POST',
    path: '/mkscore/api/signing/board',
    title: '签约进度',
    access: PAGES,
    work: 'heavy',
    query: z.object({
      by: optional(funnelBy.schema).meta({ title: '口径' }),
      from: optional(day).meta({ title: '从' }),
      to: optional(day).meta({ title: '至' }),
      bc_id: commaList(uuid).meta({ title: '分公司' }),
      store_id: commaList(uuid).meta({ title: '门店' }),
      consultant_id: optional(uuid).meta({ title: '顾问' }),
      source: commaList(customerSource.schema).meta({ title: '来源' }),
    }),
    data: signingBoard,
  },
  targets: {
    method: 'POST',
    path: '/mkscore/api/signing/targets',
    title: '签约目标',
    access: PAGES,
    query: z.object({ month, bc_id: commaList(uuid).meta({ title: '分公司' }) }),
    data: z.array(targetRow),
  },
  /** A target of a branch, of a store of it, or of one consultant; set anew with a reason. */
  setTarget: {
    method: 'POST',
    path: '/mkscore/api/signing/settarget',
    title: '设定签约目标',
    access: ['signing:target'],
    body: z.object({
      month,
      bc_id: uuid.meta({ title: '分公司' }),
      store_id: uuid.nullable().default(null).meta({ title: '门店' }),
      consultant_id: uuid.nullable().default(null).meta({ title: '顾问' }),
      people: z
        .number({ error: '签约数应为整数' })
        .int({ error: '签约数应为整数' })
        .min(0, { error: '签约数不能小于 0' })
        .max(MOST_PEOPLE, { error: `签约数最多 ${MOST_PEOPLE}` })
        .meta({ title: '签约数' }),
      money: amount('签约金额'),
      /** The version that was seen; none where there is no target yet. */
      version: z.number().int().min(0).nullable().default(null).meta({ title: '版本' }),
      reason,
    }),
    data: nothing,
  },
})
