/** Names of other programs that might look like one of ours, by their beginning. */
const OTHERS = /^(TEST_|BENCH_|PG|NODE_|npm_|XDG_)/
/** Names of the database's address elsewhere: with such a name they mean ours. */
const MEANT = ['DB_URL', 'DATABASE']
const FAR_LETTERS = 8
const SHORT_LETTERS = 5

/** Number of letters that are missing, too many, wrong or changed with the next one. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      row[j] = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + same)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwapped) row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}

const letters = (name: string) => name.replaceAll('_', '')
/** The longer a name, the more of it may be wrong and still mean it; PORT is PORTT, and never SPORT or HOST. */
function means(name: string, known: string): boolean {
  if (letters(name).toUpperCase() === letters(known)) return true
  if (name !== name.toUpperCase()) return false
  if (known.length < SHORT_LETTERS) return name.startsWith(known) && name.length === known.length + 1
  const most = letters(known).length < FAR_LETTERS ? 1 : 2
  return name[0] === known[0] && distance(letters(name), letters(known)) <= most
}

/** One of ours, written wrong: an installation that takes no notice of it works with something else than was meant. */
export const misspelt = (name: string, known: readonly string[]): boolean =>
  MEANT.includes(name) || (!OTHERS.test(name) && known.some((one) => means(name, one)))
