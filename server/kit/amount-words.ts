import { grouped } from '@zhuguan/contract/kit/digits.ts'

const FIGURES = '零壹贰叁肆伍陆柒捌玖'
const PLACES = ['', '拾', '佰', '仟']
/** Units of four figures each, from the last. */
const GROUPS = ['', '万', '亿', '万亿']
/** What has more figures than these groups hold has no words that anybody reads. */
const MOST_FIGURES = 4 * GROUPS.length

/** Four figures: 0305 → 零叁佰零伍; a gap in them is said once, one at their end not at all. */
const fourWords = (four: string): string =>
  Array.from(four)
    .map((figure, i) => (figure === '0' ? '零' : FIGURES[Number(figure)]! + PLACES[four.length - 1 - i]!))
    .join('')
    .replaceAll(/零+/g, '零')
    .replace(/零$/, '')

function wholeWords(whole: string): string {
  const fours = whole.padStart(Math.ceil(whole.length / 4) * 4, '0').match(/.{4}/g)!
  const said = fours.map((four, i) => {
    const words = fourWords(four)
    // A group that ends in nothing is followed by one that begins with something: the gap between is said.
    const isGap = i > 0 && words !== '' && !words.startsWith('零') && fours[i - 1]!.endsWith('0')
    return words && `${isGap ? '零' : ''}${words}${GROUPS[fours.length - 1 - i]!}`
  })
  return said.join('').replaceAll(/零+/g, '零').replace(/^零/, '')
}

/** An amount of money as cheques say it: 89700.50 → 捌万玖仟柒佰元伍角整; empty where nobody could read it. */
export function amountWords(amount: string): string {
  const [whole = '', places = ''] = amount.replace('-', '').split('.')
  const figures = whole.replace(/^0+/, '')
  const [tenths = '0', hundredths = '0'] = places.padEnd(2, '0')
  if (figures.length > MOST_FIGURES) return ''
  const yuan = figures && `${wholeWords(figures)}元`
  if (tenths === '0' && hundredths === '0')
    return `${amount.startsWith('-') && yuan ? '负' : ''}${yuan || '零元'}整`
  const isGap = yuan !== '' && tenths === '0'
  const jiao = tenths === '0' ? '' : `${FIGURES[Number(tenths)]!}角`
  const fen = hundredths === '0' ? '整' : `${FIGURES[Number(hundredths)]!}分`
  return `${amount.startsWith('-') ? '负' : ''}${yuan}${isGap ? '零' : ''}${jiao}${fen}`
}

/** An amount where it is signed: in figures and in words; of one that nobody could read the table above tells. */
export function saidAmount(name: string, amount: string): string {
  const words = amountWords(amount)
  return words ? `${name} ${grouped(amount)} 元（大写：${words}）` : `${name}见上表`
}
