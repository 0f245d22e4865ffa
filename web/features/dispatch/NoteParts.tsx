import type { NoteDetail, noteParts } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { compare } from '@zhuguan/contract/kit/money.ts'
import type { z } from 'zod'

import { TextField } from '../../kit/form/fields.tsx'
import { Lines } from '../../kit/form/Lines.tsx'
import type { Fields } from '../../kit/form/useForm.ts'

type Part = z.output<typeof noteParts>[number]
type Parts = { lines: Part[] }
type Given = readonly { line_id?: string | null; quantity?: string | null }[] | null | undefined

const isMuch = (quantity: string | null | undefined, most: string): boolean =>
  /^\d+(\.\d+)?$/.test(quantity ?? '') && compare(quantity!, most) > 0
const rest = (note: NoteDetail, given: Given) =>
  new Map(note.lineList.map((l, at) => [l.line_id, given?.[at]?.quantity ?? '']))

/** The rows of a form that asks how much of each line: all of it, or nothing yet. */
export const partsOf = (note: NoteDetail, all: boolean): Part[] =>
  note.lineList.map((l) => ({ line_id: l.line_id, quantity: all ? l.quantity : '' }))
/** Something is given, and of no line more than the note holds. */
export const isPossible = (note: NoteDetail, given: Given): boolean => {
  const of = rest(note, given)
  return (
    note.lineList.some((l) => of.get(l.line_id)) &&
    !note.lineList.some((l) => isMuch(of.get(l.line_id), l.quantity))
  )
}
/** Whether something of the note is left over. */
export const isPart = (note: NoteDetail, given: Given): boolean => {
  const of = rest(note, given)
  return note.lineList.some((l) => {
    const quantity = of.get(l.line_id) ?? ''
    return quantity === '' || (/^\d+(\.\d+)?$/.test(quantity) && compare(quantity, l.quantity) < 0)
  })
}

/** The quantity of each line of a note; a row that is left empty is left out. */
export function NoteParts({ of, note, label }: { of: Fields<Parts>; note: NoteDetail; label: string }) {
  return (
    <Lines
      of={of}
      name="lines"
      mayBeBlank
      columns="minmax(0, 1fr) 110px 130px"
      title={(_, at) => note.lineList[at]?.name ?? ''}
    >
      {(row, at) => {
        const line = note.lineList[at]
        return (
          <>
            <span className="line-name note-name" title={`${line?.name ?? ''} ${line?.detail ?? ''}`}>
              {line?.name} <small>{line?.detail}</small>
            </span>
            <span className="line-name right">
              共 {line?.quantity} {line?.unit}
            </span>
            <TextField
              of={row}
              name="quantity"
              label={label}
              inputMode="numeric"
              hint={
                isMuch(row.values.quantity, line?.quantity ?? '0') && (
                  <b className="late">最多 {line?.quantity}</b>
                )
              }
            />
          </>
        )
      }}
    </Lines>
  )
}
