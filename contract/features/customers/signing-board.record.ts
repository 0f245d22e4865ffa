import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { lostReason } from './customers.record.ts'

/** Customers who came in a span, whatever has become of them since; or what happened in it, whenever they came. */
export const funnelBy = defineCodes('funnelBy', '口径', {
  came: ['came', '按登记时间'],
  happened: ['happened', '按发生时间'],
})
export const funnelDimension = defineCodes('funnelDimension', '分组', {
  all: ['all', '合计'],
  source: ['source', '来源'],
  store: ['store', '门店'],
  consultant: ['consultant', '顾问'],
})
/** Under so many customers a share says nothing. */
export const FEWEST = 5

const days = z.number().nullable()
/** The number of customers that reached each step, and the time that half of them took from the step before. */
export const funnelRow = z.object({
  dimension: funnelDimension.schema,
  key: z.string().nullable(),
  label: z.string(),
  came: z.number().int(),
  contacted: z.number().int(),
  met: z.number().int(),
  quoted: z.number().int(),
  deposit: z.number().int(),
  signed: z.number().int(),
  lost: z.number().int(),
  contactedDays: days,
  metDays: days,
  quotedDays: days,
  depositDays: days,
  signedDays: days,
})
export type FunnelRow = z.output<typeof funnelRow>
export const lostCount = z.object({ reason: lostReason.schema, n: z.number().int() })
/** Deposits of contracts that nobody has signed yet, by the days since the first of the money came. */
export const depositAge = z.object({
  from: z.number().int(),
  to: z.number().int().nullable(),
  n: z.number().int(),
  money: z.string(),
})
export const signingBoard = z.object({
  at: z.number().int(),
  rows: z.array(funnelRow),
  lost: z.array(lostCount),
  deposits: z.array(depositAge),
  /** In the span: signed contracts with their money, refunds that were approved, contracts that were declared void. */
  signedMoney: z.string(),
  refunds: z.object({ n: z.number().int(), money: z.string() }),
  voided: z.number().int(),
})
export const targetRow = z.object({
  id: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  store_id: z.string().nullable(),
  storeName: z.string(),
  consultant_id: z.string().nullable(),
  consultantName: z.string(),
  people: z.number().int(),
  money: z.string(),
  /** The contracts that were signed in the month, and those with a deposit that are expected besides. */
  signed: z.number().int(),
  signedMoney: z.string(),
  expected: z.number().int(),
  expectedMoney: z.string(),
  version: z.number().int(),
})
export type TargetRow = z.output<typeof targetRow>

/** The log\'s names for the fields of a target. */
export const targetLog = logged('签约目标', {
  month: '月份',
  bc_id: ['分公司', 'company'],
  store_id: ['门店', 'store'],
  consultant_id: ['顾问', 'user'],
  people: '签约数',
  money: '签约金额',
})
