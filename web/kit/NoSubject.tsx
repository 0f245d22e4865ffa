/** A page about one thing whose address names none: where it is opened from. */
export const NoSubject = ({ what, from }: { what: string; from: string }) => (
  <div className="empty">
    <h2>没有指定{what}</h2>
    <p className="quiet">请从{from}打开。</p>
  </div>
)
