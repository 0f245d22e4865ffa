import { handoversApi } from '@zhuguan/contract/features/handovers/handovers.api.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'

import { addDays } from '../kit/shanghai.ts'
import type { Worker } from './demo-door.ts'

const TASTES = ['原木色，少吊顶', '浅色系，要大书房', '奶油风，厨房要大水槽', '现代简约，收纳多']
const PEOPLE = ['老人腿脚不便，孩子两岁', '夫妻两人，养一只猫', '三代同住，老人早睡', '孩子上小学，要书桌区']
const FEARS = ['怕拖工期，年底要入住', '上次装修被增项坑过', '怕甲醛，孩子小', '担心楼下漏水']
const GIVEN = ['送全屋窗帘杆', '送开荒保洁一次', '', '送厨房水槽升级']
const EARLY = ['瓷砖按样板间的型号', '开工前上门再量一次', '柜门五金用进口的']
/** What the home is like, for whoever will build it, and what it was promised; by its size, so that homes differ. */
export async function briefOf(
  quoter: Worker,
  customer_id: string,
  area: number,
  today: string,
): Promise<void> {
  const at = (texts: readonly string[]) => texts[area % texts.length]!
  await quoter.call(handoversApi.write, {
    body: {
      customer_id,
      version: 0,
      taste: at(TASTES),
      people: at(PEOPLE),
      fears: at(FEARS),
      given: at(GIVEN),
    },
  })
  const due = addDays(today, 60 + (area % 40))
  const promise = { subject: 'goods' as const, content: at(EARLY), due, post: principalPost.code.steward }
  await quoter.call(handoversApi.promise, { body: { customer_id, ...promise } })
}

/** Some sheets wait for their steward; whoever leads the branch has gone through the others. */
export async function readBrief(gm: Worker, site_id: string): Promise<void> {
  const { sheet } = await gm.call(handoversApi.ofSite, { query: { site_id } })
  if (sheet?.steward_id && sheet.taste.length % 2 === 0)
    await gm.call(handoversApi.confirm, { body: { id: sheet.id, version: sheet.version } })
}
