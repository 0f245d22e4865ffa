const WAN = 10_000
const YI = 100_000_000

const trimmed = (n: number, digits: number) => String(Number(n.toFixed(digits)))

/** Thousands as people say them: 9 800, 1.2 万, 3.4 亿 (docs/looks.md); '--' where nothing is known. */
export function figure(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '--'
  const size = Math.abs(value)
  if (size >= YI) return `${trimmed(value / YI, 1)} 亿`
  if (size >= WAN) return `${trimmed(value / WAN, 1)} 万`
  return trimmed(value, 1)
}
/** The exact number with its unit, for tables and for what appears on hover. */
export const exact = (value: number | null | undefined, unit = ''): string =>
  value === null || value === undefined
    ? '--'
    : `${Number(value.toFixed(2)).toLocaleString('zh-CN')}${unit === '%' ? '%' : unit && ` ${unit}`}`
