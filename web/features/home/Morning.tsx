import type { MorningLine } from '@zhuguan/contract/features/home/home.record.ts'

/** What whoever answers for a branch may want to ask about before the meeting, each line the way to its list. */
export function Morning({ lines }: { lines: readonly MorningLine[] }) {
  if (lines.length === 0) return <p className="card morning">没有需要您过问的事</p>
  return (
    <section className="card morning" aria-label="需要您过问的事">
      <h2>需要您过问</h2>
      <ol>
        {lines.map((l) => (
          <li key={l.rule}>
            <a href={`#${l.link}`}>{l.text}</a>
          </li>
        ))}
      </ol>
    </section>
  )
}
