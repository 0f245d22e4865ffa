/** Words of a list that stands in lines, as one alternative of an expression. */
const oneOf = (words: string): string => `\\b(?:${words.trim().split(/\s+/).join('|')})\\b`

const OPENING = /^(What|Who|Whom|Whose|Where|How|Why|Which|Of)\b/
/** Each begins a clause that has a verb of its own. */
const CLAUSE = new RegExp(
  oneOf(`what who whom whose where how why which that when if while until unless because since than`),
  'gi',
)
const VERB = new RegExp(
  oneOf(`
    is are was were has have had does do did can may must will would should could cannot
    comes? goes stands? says? keeps? stays? waits? takes? gives? shows? knows? makes? holds? hears sees finds
    means begins becomes belongs? brings leaves lies asks tells writes sends decides learns follows passes falls
    fits? gets? lets puts happens remains reaches receives leads judges closes opens arrives lives
    came went stood said kept took gave made saw told held left began became brought found knew`),
  'g',
)
/** Words that are verbs unless something stands before them that only a noun has. */
const NOUN_OR_VERB = new RegExp(
  `(?<!${oneOf('the a an of its their these those all many no and or his her our one two other new few')} )` +
    oneOf(
      'counts? ends? needs? reads? changes moves works runs looks answers wants adds uses stops starts turns calls',
    ),
  'g',
)

/**
 * Whether a comment is one that a reader has to solve: it begins with What, Who, Where, How, Why, Which or Of and then
 * says nothing, because the only verbs of its first sentence are those of the clauses in it. “What waits of a home” is
 * one, “What waits comes first” is none. It counts words and knows no grammar: enough for a debt, not for a verdict.
 */
export function isRiddle(comment: string): boolean {
  const [first = ''] = comment.trim().split(/(?<=[.;!?])\s/)
  if (!OPENING.test(first)) return false
  const count = (words: RegExp) => first.match(words)?.length ?? 0
  return count(VERB) + count(NOUN_OR_VERB) <= count(CLAUSE)
}

/** A program's comments, each with its first line: lines of `//` that follow each other are one. */
export function commentsOf(code: string): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = []
  let open: 'lines' | 'block' | undefined
  for (const [i, line] of code.split('\n').entries()) {
    const add = (text: string) => {
      const last = found.at(-1)
      if (open && last) last.text += ` ${text}`
      else found.push({ line: i + 1, text })
    }
    const [, slashed] = /^\s*\/\/ ?(.*)$/.exec(line) ?? []
    const [, blocked] = /^\s*\{?\/\*\*? ?(.*)$/.exec(line) ?? []
    if (open === 'block') {
      add(line.replace(/^\s*\* ?/, '').replace(/\*\/.*$/, ''))
      if (line.includes('*/')) open = undefined
    } else if (slashed !== undefined) {
      add(slashed)
      open = 'lines'
    } else if (blocked !== undefined) {
      open = undefined
      add(blocked.replace(/\*\/.*$/, ''))
      open = blocked.includes('*/') ? undefined : 'block'
    } else open = undefined
  }
  return found.map(({ line, text }) => ({ line, text: text.replaceAll(/\s+/g, ' ').trim() }))
}
/** The folder whose comments are counted together: a feature, or a part of a tree. */
export const roomOf = (path: string): string => path.split('/').slice(0, -1).slice(0, 3).join('/')
