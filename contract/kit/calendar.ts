/** Days that are not as the week has them: off though it is worked, or worked though it rests. */
export interface DatedDay {
  /** YYYY-MM-DD */
  day: string
  rest: boolean
  why: string
}
export interface BadLine {
  line: number
  message: string
}

const DAY_MS = 86_400_000
const LONGEST = 60
const MOST_DAYS = 1_000
const MOST_WORDS = 20
const REST_WORDS = ['休', '休息', '放假', '假']
const WORK_WORDS = ['班', '上班', '补班', '调休上班', '工作']
export const CALENDAR_EXAMPLE = '2027-02-06~2027-02-12 休 春节'

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS
const dayOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10)
const plain = (text: string): string =>
  text.replace(/[０-９．／－～：]/gu, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0)).trim()

/** A day that stands in the calendar; `near` gives the year where only a month and a day are written. */
function dayIn(text: string, near?: string): string | undefined {
  const full = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/u.exec(text)
  const short = near === undefined ? null : /^(\d{1,2})[-/.月](\d{1,2})日?$/u.exec(text)
  const [year, month, date] = full ? full.slice(1) : [near?.slice(0, 4), ...(short?.slice(1) ?? [])]
  if (!year || !month || !date) return undefined
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const number = numberOf(day)
  // The 31st of a short month rolls over into the next one: no such day.
  if (Number.isNaN(number) || dayOf(number) !== day || day < '2000-01-01' || day > '2099-12-31')
    return undefined
  return day
}

interface Line {
  days: string[]
  rest: boolean
  why: string
}
function readLine(text: string): Line | string {
  const found = /^(\S+?)(?:\s*(?:~|至|到|—+)\s*(\S+))?\s+(\S+)(?:\s+(.*))?$/u.exec(text)
  if (!found) return `“${text}”看不懂，应写成“${CALENDAR_EXAMPLE}”这样：日期、休或班、名称，用空格隔开`
  const [, from = '', to, word = '', why = ''] = found
  const first = dayIn(from)
  if (!first) return `“${from}”不是日历上的日期，应写成 2027-02-06 这样`
  const last = to === undefined ? first : dayIn(to, first)
  if (!last) return `“${to}”不是日历上的日期，应写成 2027-02-12 这样`
  if (last < first) return `${last} 早于 ${first}，起止写反了`
  const count = numberOf(last) - numberOf(first) + 1
  if (count > LONGEST) return `从 ${first} 到 ${last} 有 ${count} 天，一段最多 ${LONGEST} 天`
  if (!REST_WORDS.includes(word) && !WORK_WORDS.includes(word)) return `“${word}”应为“休”或“班”`
  if (why.length > MOST_WORDS) return `名称最多 ${MOST_WORDS} 个字`
  const days = Array.from({ length: count }, (_, i) => dayOf(numberOf(first) + i))
  return { days, rest: REST_WORDS.includes(word), why: why.trim() }
}

/** Dated days as people write or paste them, one day or one span a line; what cannot be read is named by its line. */
export function readCalendar(text: string): { days: DatedDay[]; bad: BadLine[] } {
  const days = new Map<string, DatedDay & { line: number }>()
  const bad: BadLine[] = []
  for (const [i, raw] of text.split(/\r?\n/u).entries()) {
    const line = i + 1
    const words = plain(raw)
    if (!words) continue
    const read = readLine(words)
    if (typeof read === 'string') {
      bad.push({ line, message: read })
      continue
    }
    const { rest, why } = read
    const twice = read.days.find((day) => days.has(day))
    if (twice) {
      const was = days.get(twice)!
      const message =
        was.rest === rest
          ? `${twice} 在第 ${was.line} 行已经写过`
          : `${twice} 在第 ${was.line} 行是${was.rest ? '休' : '班'}，这里是${rest ? '休' : '班'}，只能是一样`
      bad.push({ line, message })
      continue
    }
    for (const day of read.days) days.set(day, { day, rest, why, line })
  }
  if (days.size > MOST_DAYS) bad.push({ line: 0, message: `一共 ${days.size} 天，最多 ${MOST_DAYS} 天` })
  return {
    days: [...days.values()]
      .map(({ day, rest, why }) => ({ day, rest, why }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    bad,
  }
}
export const badLine = ({ line, message }: BadLine): string => (line ? `第 ${line} 行：${message}` : message)

/** The same days as text, neighbours of one kind and name as one line. */
export function calendarText(days: readonly DatedDay[]): string {
  const lines: { from: string; to: string; rest: boolean; why: string }[] = []
  for (const { day, rest, why } of days) {
    const last = lines.at(-1)
    if (
      last?.rest === rest &&
      last.why === why &&
      numberOf(day) - numberOf(last.to) === 1 &&
      numberOf(day) - numberOf(last.from) < LONGEST
    )
      last.to = day
    else lines.push({ from: day, to: day, rest, why })
  }
  return lines
    .map(({ from, to, rest, why }) =>
      [from === to ? from : `${from}~${to}`, rest ? '休' : '班', why].filter(Boolean).join(' '),
    )
    .join('\n')
}

/** A branch's own days over those that it inherits. */
export function calendarOver(own: readonly DatedDay[], inherited: readonly DatedDay[]): DatedDay[] {
  const mine = new Set(own.map((d) => d.day))
  return [...inherited.filter((d) => !mine.has(d.day)), ...own].toSorted((a, b) => (a.day < b.day ? -1 : 1))
}
