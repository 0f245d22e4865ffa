/** Decimal text as people read it; nothing is calculated here, so no list has to fetch what calculates. */

/** 1234567.80 → 1,234,567.80 */
export const grouped = (text: string): string => text.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/gu, ',')
/** A unit price: at least two places, at most six. 12.5 → 12.50 */
export function priceText(text: string): string {
  const [whole, part = ''] = text.split('.')
  return `${grouped(whole!)}.${part.padEnd(2, '0')}`
}
