const SCORES = [1, 2, 3, 4, 5] as const

/** One to five, each a tap. */
export const ScoreButtons = ({
  legend,
  chosen = null,
  onChoose,
}: {
  legend: string
  chosen?: number | null
  onChoose: (score: number) => void
}) => (
  <fieldset className="owner-score">
    <legend>{legend}</legend>
    {SCORES.map((n) => (
      <button
        key={n}
        type="button"
        className={chosen === n ? 'button primary' : 'button'}
        aria-pressed={chosen === n}
        onClick={() => onChoose(n)}
      >
        {n} 分
      </button>
    ))}
  </fieldset>
)
