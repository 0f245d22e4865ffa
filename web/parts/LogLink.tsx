import { useLogLink } from './useLogLink.ts'

/** The same as a link on the thing's own page; nothing for who may not read the log. */
export function LogLink({ object, id }: { object: string; id: string }) {
  return useLogLink()(object, id).map((l) => (
    <button key={l.key} className="text-button" onClick={l.open}>
      {l.label}
    </button>
  ))
}
