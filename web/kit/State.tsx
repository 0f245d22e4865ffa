export type Tone = 'ok' | 'wait' | 'bad' | 'grey'
const SIGN: Record<Tone, string> = { ok: '✓', wait: '•', bad: '!', grey: '–' }
/** Never colour alone: a sign and a word (docs/looks.md). */
export const State = ({ tone, children }: { tone: Tone; children: string }) => (
  <span className={`state ${tone}`}>
    <span aria-hidden="true">{SIGN[tone]}</span>
    {children}
  </span>
)
