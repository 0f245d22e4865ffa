import { productKind } from '@zhuguan/contract/features/products/products.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'

const { auxiliary, fee, main, work } = productKind.code
const s = siteStage.code
export interface Line {
  name: string
  unit: string
  stage: string
  days: number
  /** The lowest and the highest cost of a unit. */
  cost: readonly [number, number]
  /** In whole packs of so many. */
  pack?: string
  brands?: readonly string[]
  specs: readonly string[]
  /** Number of them that are sold. */
  count: number
}
const TILES = ['东鹏', '马可波罗', '诺贝尔', '蒙娜丽莎']
const BATHS = ['科勒', '箭牌', '九牧', '恒洁']
/** A group's goods: kinds, the categories below them, and what each is made of. */
export const CATALOGUE: readonly { kind: string; name: string; lines: readonly Line[] }[] = [
  {
    kind: main,
    name: '主材',
    lines: [
      {
        name: '地砖',
        unit: '片',
        stage: s.tiling,
        days: 7,
        cost: [18, 90],
        pack: '3',
        brands: TILES,
        specs: ['600×600mm', '800×800mm', '750×1500mm'],
        count: 70,
      },
      {
        name: '墙砖',
        unit: '片',
        stage: s.tiling,
        days: 7,
        cost: [8, 40],
        pack: '7',
        brands: TILES,
        specs: ['300×600mm', '400×800mm'],
        count: 60,
      },
      {
        name: '木地板',
        unit: '㎡',
        stage: s.fitting,
        days: 10,
        cost: [80, 320],
        pack: '1.98',
        brands: ['圣象', '大自然', '德尔'],
        specs: ['强化 12mm', '三层实木 15mm', '新三层 14mm'],
        count: 50,
      },
      {
        name: '橱柜',
        unit: '米',
        stage: s.fitting,
        days: 30,
        cost: [680, 2400],
        brands: ['欧派', '志邦', '金牌'],
        specs: ['烤漆', '吸塑', '实木颗粒'],
        count: 36,
      },
      {
        name: '木门',
        unit: '樘',
        stage: s.fitting,
        days: 25,
        cost: [650, 2600],
        brands: ['TATA', '梦天', '欧派'],
        specs: ['平开', '推拉', '隐形'],
        count: 40,
      },
      {
        name: '马桶',
        unit: '只',
        stage: s.fitting,
        days: 5,
        cost: [420, 3200],
        brands: BATHS,
        specs: ['虹吸式', '智能一体'],
        count: 28,
      },
      {
        name: '浴室柜',
        unit: '套',
        stage: s.fitting,
        days: 12,
        cost: [500, 2800],
        brands: BATHS,
        specs: ['60cm', '80cm', '100cm'],
        count: 30,
      },
      {
        name: '花洒',
        unit: '套',
        stage: s.fitting,
        days: 5,
        cost: [180, 1500],
        brands: BATHS,
        specs: ['恒温', '常规'],
        count: 24,
      },
      {
        name: '灯具',
        unit: '盏',
        stage: s.fitting,
        days: 5,
        cost: [35, 900],
        brands: ['欧普', '雷士', '飞利浦'],
        specs: ['吸顶', '筒灯', '射灯', '吊灯'],
        count: 40,
      },
      {
        name: '开关插座',
        unit: '只',
        stage: s.fitting,
        days: 3,
        cost: [6, 60],
        brands: ['西门子', '施耐德', '公牛'],
        specs: ['一开', '二开', '五孔', '网络'],
        count: 36,
      },
    ],
  },
  {
    kind: auxiliary,
    name: '辅料',
    lines: [
      {
        name: '水泥沙石',
        unit: '袋',
        stage: s.tiling,
        days: 1,
        cost: [4, 38],
        brands: ['海螺', '南方'],
        specs: ['42.5 水泥', '中沙', '瓷砖胶 20kg'],
        count: 20,
      },
      {
        name: '电线',
        unit: '卷',
        stage: s.plumbing,
        days: 2,
        cost: [120, 420],
        pack: '1',
        brands: ['中策', '远东'],
        specs: ['BV 1.5', 'BV 2.5', 'BV 4'],
        count: 18,
      },
      {
        name: '水管',
        unit: '米',
        stage: s.plumbing,
        days: 2,
        cost: [6, 28],
        pack: '4',
        brands: ['伟星', '日丰'],
        specs: ['PPR 20', 'PPR 25', 'PVC 50', 'PVC 110'],
        count: 24,
      },
      {
        name: '板材',
        unit: '张',
        stage: s.carpentry,
        days: 3,
        cost: [48, 260],
        brands: ['兔宝宝', '千年舟'],
        specs: ['石膏板 9.5mm', '欧松板 18mm', '生态板 17mm'],
        count: 24,
      },
      {
        name: '防水涂料',
        unit: '桶',
        stage: s.waterproof,
        days: 2,
        cost: [180, 520],
        brands: ['雨虹', '德高'],
        specs: ['通用型 20kg', '柔韧型 18kg'],
        count: 16,
      },
      {
        name: '墙面漆',
        unit: '桶',
        stage: s.painting,
        days: 3,
        cost: [160, 880],
        brands: ['立邦', '多乐士', '三棵树'],
        specs: ['5L', '18L'],
        count: 26,
      },
    ],
  },
  {
    kind: work,
    name: '人工',
    lines: [
      {
        name: '拆改人工',
        unit: '㎡',
        stage: s.demolition,
        days: 0,
        cost: [12, 60],
        specs: ['拆墙', '砌墙', '铲墙皮'],
        count: 8,
      },
      {
        name: '水电人工',
        unit: '米',
        stage: s.plumbing,
        days: 0,
        cost: [14, 38],
        specs: ['强电', '弱电', '给水', '排水'],
        count: 8,
      },
      {
        name: '瓦工人工',
        unit: '㎡',
        stage: s.tiling,
        days: 0,
        cost: [38, 120],
        specs: ['地砖铺贴', '墙砖铺贴', '美缝'],
        count: 10,
      },
      {
        name: '木工人工',
        unit: '㎡',
        stage: s.carpentry,
        days: 0,
        cost: [45, 130],
        specs: ['平顶', '造型顶', '隔墙'],
        count: 8,
      },
      {
        name: '油工人工',
        unit: '㎡',
        stage: s.painting,
        days: 0,
        cost: [16, 42],
        specs: ['批腻子', '刷面漆', '贴壁布'],
        count: 8,
      },
    ],
  },
  {
    kind: fee,
    name: '费用',
    lines: [
      {
        name: '设计费',
        unit: '㎡',
        stage: s.briefing,
        days: 0,
        cost: [0, 0],
        specs: ['标准', '资深', '总监'],
        count: 6,
      },
      { name: '管理费', unit: '项', stage: s.briefing, days: 0, cost: [0, 0], specs: ['工程管理'], count: 4 },
      { name: '远程费', unit: '公里', stage: s.briefing, days: 0, cost: [2, 4], specs: ['绕城外'], count: 2 },
      {
        name: '垃圾清运',
        unit: '车',
        stage: s.cleaning,
        days: 0,
        cost: [180, 360],
        specs: ['多层', '电梯房'],
        count: 4,
      },
    ],
  },
]
