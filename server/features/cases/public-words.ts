import { caseScope, type CaseScope } from '@zhuguan/contract/features/cases/cases.record.ts'

import { invalid } from '../../kit/refuse.ts'

interface Home {
  ws_name: string
  community: string
  address: string
  owner: string | null
}
const PHONE = /1[3-9]\d{9}|0\d{2,3}-?\d{7,8}/u
/** 3 栋、502 室、12-3-501、17-1103、17#1103; not 三室两厅, 3 室 2 厅 or 89-120 平. */
const HOUSE = [
  /\d+\s*(?:号楼|栋|幢|座|单元|号)/u,
  /\d+\s*室(?!\s*[\d一二两三四五])/u,
  /\d+\s*[-－—]\s*\d+\s*[-－—]\s*\d+/u,
  /\d+\s*[-－—#＃]\s*\d{3,4}(?!\d|\s*[平㎡万元块年])/u,
]
const MONEY = /\d[\d,.，]*\s*(?:元|万|块)/u
const LAYOUT =
  /[一二两三四五\d]\s*室|[一二两三四五\d]\s*居|\d+(?:\.\d+)?\s*(?:平方|平米|㎡|平(?!\p{Script=Han}))/u
/** Numbers as they are said: what is not written in figures is not hidden by it. */
const SAID: Readonly<Record<string, string>> = Object.fromEntries(
  ['〇零', '一壹幺', '二贰', '三叁', '四肆', '五伍', '六陆', '七柒', '八捌', '九玖'].flatMap((all, figure) =>
    all.split('').map((one) => [one, String(figure)]),
  ),
)
const inFigures = (text: string) =>
  text.replaceAll(/[〇零一壹幺二贰三叁四肆五伍六陆七柒八捌九玖]/gu, (c) => SAID[c]!)
/** Written out, one number alone says little: 一块, 一座 are words like others. */
const HOUSE_SAID = /\d+\s*(?:号楼|栋|幢|单元)\s*\d{2,}|\d{3,}\s*室/u
const MONEY_SAID = /[壹贰叁肆伍陆柒捌玖拾佰仟]{2,}|[一二三四五六七八九十百千零]{2,}\s*[万元]/u
const plain = (text: string) => text.replaceAll(/\s/gu, '')
const SHORTEST = 2

/** Why these words may not stand before strangers; undefined where they may. */
function whyNot(words: string, home: Home, scope: readonly CaseScope[] | null): string | undefined {
  const community = home.community
  const said = plain(words)
  // 钱江壹号 is a community, and no number of a house.
  const figures = inFigures(community ? said.replaceAll(plain(community), '') : said)
  const has = (part: string | null) => !!part && plain(part).length >= SHORTEST && said.includes(plain(part))
  if (PHONE.test(said) || PHONE.test(figures)) return '不能写电话号码'
  if (HOUSE.some((way) => way.test(words)) || HOUSE_SAID.test(figures) || has(home.address))
    return '不能写门牌号或地址'
  if (MONEY.test(words) || MONEY_SAID.test(said)) return '不能写具体造价，造价只以区间公开'
  if (has(home.owner)) return '不能写业主的姓名'
  if (scope && !scope.includes(caseScope.code.layout) && LAYOUT.test(words))
    return '写到了户型或面积，要么改掉，要么把“户型面积”列入公开内容'
  if (scope && !scope.includes(caseScope.code.community) && has(home.community))
    return `写到了小区“${home.community}”，要么改掉，要么把“小区”列入公开内容`
  return undefined
}
/** Nothing of what is never public stands in the words, and nothing beyond what is asked for. */
export function unlessPublic(
  said: { title: string; words: string },
  home: Home,
  scope: readonly CaseScope[] | null = null,
): void {
  for (const field of ['title', 'words'] as const) {
    const why = whyNot(said[field], home, scope)
    if (why) throw invalid(field, why)
  }
}
