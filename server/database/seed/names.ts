/** A small generator with a fixed seed, so that the demo is the same story every time (mulberry32). */
export function lottery(seed: number) {
  let s = seed >>> 0
  const next = (): number => {
    s = (s + 0x6d2b79f5) >>> 0
    let t = Math.imul(s ^ (s >>> 15), 1 | s)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    below: (n: number) => Math.floor(next() * n),
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
  }
}

const FAMILY = Array.from('王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高梁郑谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余')
const GIVEN = [
  '建国',
  '志强',
  '海波',
  '永福',
  '光明',
  '春生',
  '立新',
  '国庆',
  '文斌',
  '小军',
  '德胜',
  '金龙',
  '兴旺',
  '伟民',
  '长青',
  '少华',
  '玉林',
  '学文',
  '子涵',
  '雨桐',
  '佳怡',
  '思远',
  '明哲',
  '俊杰',
  '晓燕',
  '丽娟',
  '秀英',
  '桂芳',
]
export const phone = (l: ReturnType<typeof lottery>) =>
  `13${l.below(10)}${String(l.below(100_000_000)).padStart(8, '0')}`
export const personName = (l: ReturnType<typeof lottery>) => l.pick(FAMILY) + l.pick(GIVEN)

export const BRANCHES = [
  {
    tenant: 0,
    name: '杭州分公司',
    code: 'HZ',
    city: '杭州',
    lng: 120.16,
    lat: 30.26,
    sites: 18,
    workers: 140,
    communities: [
      '滨江锦绣府',
      '西溪云庐',
      '钱江壹号',
      '绿城桂花园',
      '良渚文化村',
      '翡翠海岸',
      '杨柳郡',
      '之江诚品',
      '金色海岸',
      '东方润园',
    ],
    roads: ['江南大道', '文一西路', '飞云江路', '古墩路', '风情大道'],
  },
  {
    tenant: 0,
    name: '宁波分公司',
    code: 'NB',
    city: '宁波',
    lng: 121.55,
    lat: 29.87,
    sites: 12,
    workers: 90,
    communities: ['东部新城印象', '江湾城', '鄞州万境', '姚江晓筑', '海曙世家', '荣安心居'],
    roads: ['中山东路', '百丈路', '惊驾路', '首南中路'],
  },
  {
    tenant: 1,
    name: '苏州分公司',
    code: 'SZ',
    city: '苏州',
    lng: 120.62,
    lat: 31.3,
    sites: 10,
    workers: 70,
    communities: ['湖东一号', '金鸡湖花园', '石湖天玺', '姑苏院子'],
    roads: ['星湖街', '现代大道', '干将路'],
  },
] as const
const GOLDEN_ANGLE = 2.4
const APART_DEG = 0.007
const ACROSS_DEG = 0.005
/** Where a home of a community stands: its community lies on a spiral around the middle of its city; `l` in 0 … 1. */
export function placeIn(
  branch: (typeof BRANCHES)[number],
  community: string,
  l: { next(): number },
): { lng: number; lat: number } {
  const nth = branch.communities.findIndex((one) => one === community)
  const [angle, far] = [nth * GOLDEN_ANGLE, APART_DEG * Math.sqrt(nth)]
  return {
    lng: branch.lng + far * Math.cos(angle) + (l.next() - 0.5) * ACROSS_DEG,
    lat: branch.lat + far * Math.sin(angle) + (l.next() - 0.5) * ACROSS_DEG,
  }
}
export const STYLES = ['现代简约', '新中式', '北欧', '轻奢', '日式', '美式']
export const LAYOUTS = ['两室一厅', '三室两厅', '四室两厅', '复式', '三室一厅']
export const TENANTS = ['筑家装饰集团', '安居美家集团'] as const
