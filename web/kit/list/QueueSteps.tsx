import type { Queue } from './useQueue.ts'

/** The way to the row before and the row after, at the head of the panel that one of a list is opened in. */
export function QueueSteps({ queue: { place, of, before, after, show } }: { queue: Queue }) {
  if (place === 0) return null
  const step = (id: string | null, label: string, key: string) => (
    <button
      className="button small"
      aria-disabled={!id}
      aria-keyshortcuts={key}
      title={id ? `${label}（${key}）` : `本页没有${label}`}
      onClick={() => id && show(id)}
    >
      {label}
    </button>
  )
  return (
    <span className="queue-steps">
      <small>
        {place} / {of}
      </small>
      {step(before, '上一条', 'k')}
      {step(after, '下一条', 'j')}
    </span>
  )
}
