import { z } from 'zod'

import { customerSource } from '../customers/customers.record.ts'
import { count, setting } from './setting.ts'

const MOST_SOURCES = 40
const sourceName = z.string().trim().min(1, { error: '来源不能为空' }).max(20, { error: '来源最多 20 个字' })

/** How long a lead may wait, and how many one consultant and one day may have. */
export const CUSTOMER_SETTINGS = {
  customerSources: setting({
    group: '客户',
    title: '客户来源',
    what: '登记和导入客户时可以选的来源，按这里的顺序；去掉的不再能选，已经登记的客户保持原样；由集团统一设置',
    value: z
      .array(sourceName)
      .min(1, { error: '至少留一个来源' })
      .max(MOST_SOURCES, { error: `来源最多 ${MOST_SOURCES} 个` })
      .transform((all) => [...new Set(all)]),
    otherwise: customerSource.options.map((o) => o.label),
    input: 'names',
    whole: true,
  }),
  leadHours: setting({
    group: '客户',
    title: '新线索联系期限',
    what: '线索到了顾问名下多少个工作小时内要联系，过了提醒顾问和能分配客户的人',
    unit: '小时',
    clock: '现在分到一条线索',
    value: count(1, 720),
    otherwise: 4,
    input: 'number',
  }),
  leadDays: setting({
    group: '客户',
    title: '不跟进退回公海',
    what: '多少个工作日没有完成过跟进就退回公海，提前 3 天提醒；有定金、合同、待审报价或 14 天内有计划的不退',
    unit: '个工作日',
    value: count(3, 365),
    otherwise: 14,
    input: 'number',
  }),
  leadCap: setting({
    group: '客户',
    title: '每人跟进上限',
    what: '一位顾问名下还没有付定金的客户最多几位，到了就不能再认领、也不再分给他',
    unit: '位',
    value: count(1, 2000),
    otherwise: 200,
    input: 'number',
  }),
  unmaskDaily: setting({
    group: '客户',
    title: '每天可查看的客户电话',
    what: '一个人一天最多看几个客户电话，到了上限告诉分公司总经理',
    unit: '个',
    value: count(1, 1000),
    otherwise: 30,
    input: 'number',
  }),
} as const
