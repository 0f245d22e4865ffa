import type { KeyboardEvent } from 'react'

export interface MenuEntry {
  key: string
  label: string
  /** The sentence why not now; the entry stays, grey, and says it. */
  why?: string | undefined
  disabled?: boolean
}

const STEP: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/** Entries of a menu; arrows move, Enter chooses. */
export function MenuList({
  entries,
  onPick,
}: {
  entries: readonly MenuEntry[]
  onPick: (key: string) => void
}) {
  const move = (e: KeyboardEvent<HTMLElement>) => {
    const step = STEP[e.key]
    if (!step) return
    e.preventDefault()
    const all = [...e.currentTarget.querySelectorAll('button')]
    all[(all.indexOf(document.activeElement as HTMLButtonElement) + step + all.length) % all.length]?.focus()
  }
  return (
    <div role="menu" className="menu" onKeyDown={move}>
      {entries.map((m, i) => (
        <button
          key={m.key}
          role="menuitem"
          data-focus={i === 0 || undefined}
          title={m.why}
          aria-disabled={!!m.why || m.disabled}
          onClick={() => !m.disabled && onPick(m.key)}
        >
          {m.label}
          {m.why && <small>{m.why}</small>}
        </button>
      ))}
    </div>
  )
}
