import type { usePlace } from './usePlace.ts'

/** A place in words, beside what the telephone knows itself. */
export function WhereField({
  id,
  value,
  found,
  onChange,
}: {
  id: string
  value: string
  found: ReturnType<typeof usePlace>
  onChange: (place: string) => void
}) {
  const located = found.at ? '已定位 ✓' : '用我的位置'
  return (
    <div className="driver-field">
      <label htmlFor={id}>地点</label>
      <div className="driver-place">
        <input
          id={id}
          value={value}
          maxLength={60}
          placeholder="例如 萧山收费站"
          autoComplete="off"
          onChange={(e) => onChange(e.target.value)}
        />
        <button type="button" className="button" disabled={found.busy} onClick={found.find}>
          {found.busy ? '定位中…' : located}
        </button>
      </div>
      {found.why && <p className="driver-hint">{found.why}</p>}
    </div>
  )
}
