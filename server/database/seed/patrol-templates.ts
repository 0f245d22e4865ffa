import { uuidv7 } from '../../kit/ids.ts'
import type { Tx } from '../connect.ts'
import { insert } from './rows.ts'

const item = (title: string, weight: number, photo: boolean, hint: string) => ({ title, hint, weight, photo })
/** The items that a group begins to look at; it makes its own from there. */
const TEMPLATES = [
  {
    name: '日常巡检',
    items: [
      item('工地形象', 2, true, '门口有工地牌和围挡，入户门、电梯厅保护完好'),
      item('材料堆放', 2, true, '分类码放，板材离地，不堵通道，重物不集中压楼板'),
      item('地面清洁', 2, true, '垃圾装袋，当天清走，地面没有积水和钉子'),
      item('临时用电', 3, true, '有漏电保护，线缆不拖地、不裸露，不从插座直接引线'),
      item('消防', 3, true, '灭火器两只，压力正常，放在进门处，动火有人看护'),
      item('成品保护', 2, true, '门窗、地漏、下水口、已完工的墙地面都有保护'),
      item('着装', 1, false, '工人穿工服，登高戴安全帽，不抽烟'),
      item('进度', 2, false, '与计划一致；落后超过三天要写明原因'),
    ],
  },
  {
    name: '水电阶段',
    items: [
      item('弹线定位', 1, true, '按图弹线，开关插座的高度、位置与业主确认过'),
      item('开槽', 2, true, '横平竖直，不横向切承重墙，深度以管径加一公分为准'),
      item('强弱电间距', 3, true, '平行间距不小于 30 公分，交叉处包锡箔纸'),
      item('线管', 3, true, '管内电线不超过截面四成，接头不在管内，弯头用弹簧'),
      item('分色', 2, false, '火线红、零线蓝、地线黄绿，全屋一致'),
      item('水管走向', 3, true, '左热右冷，间距 15 公分，冷热水管走顶或走墙'),
      item('打压试验', 3, true, '0.8 兆帕，30 分钟掉压不超过 0.05 兆帕，压力表入镜'),
      item('防水基层', 2, true, '管根、墙角做圆弧，地面干净干燥'),
    ],
  },
  {
    name: '瓦工阶段',
    items: [
      item('墙地砖空鼓', 3, true, '逐块敲击，单块空鼓不超过边角的 5%，整块空鼓为零'),
      item('平整度', 3, true, '两米靠尺，墙砖不超过 2 毫米，地砖不超过 2 毫米'),
      item('接缝', 2, true, '缝宽一致，高低差不超过 0.5 毫米'),
      item('阴阳角', 2, true, '90 度，偏差不超过 2 毫米，45 度拼角不崩瓷'),
      item('地面坡度', 3, true, '卫生间、阳台向地漏找坡，泼水不积水'),
      item('地漏安装', 2, true, '低于砖面 2 毫米，四周无缝，水封完好'),
      item('成品保护', 2, true, '地砖铺满保护膜，不在砖面上拌灰'),
    ],
  },
]

export const templatesOf = (tx: Tx, tenant: string) =>
  insert(
    tx,
    'patrol_templates',
    TEMPLATES.map(({ name, items }) => ({
      tenant_id: tenant,
      id: uuidv7(),
      name,
      items,
      status: 1,
      changed_by: '',
      version: 0,
    })),
  )
