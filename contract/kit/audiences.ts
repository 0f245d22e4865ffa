/** The person who is meant by a word of the table of turns. */
export interface Audience {
  title: string
  /** What acting asks for, where the record is: nobody is named without it. Who only has to know needs none. */
  right?: string
  /** Those of them whom the record itself names; without it everybody who has the right there. */
  named?: true
  /** It is theirs to know and nobody's to do: whoever stands in for them hears nothing. */
  informed?: true
  /** The people of the company or store that receives, not those of the branch that orders. */
  receiver?: true
  /** Words of people whom the record names and who may not act on it. */
  except?: readonly string[]
  /** The person who hears where none of these can act. */
  otherwise?: string
}

export interface Turn<A extends string = string> {
  told: readonly A[]
  /** What was said of the record before is done with. */
  settles: boolean
}
/** Somebody acted: what was said before is done with, and these are told. */
export const turn = <const A extends string>(...told: A[]): Turn<A> => ({ told, settles: true })
/** These hear of it, and it goes on waiting for whomever it waited for. */
export const aside = <const A extends string>(...told: A[]): Turn<A> => ({ told, settles: false })

/** One machine's turns; who is told must be said to be somebody. */
export const defineTurns =
  <const A extends Readonly<Record<string, Audience>>>(audiences: A) =>
  <const T extends Readonly<Record<string, Turn<keyof A & string>>>>(on: T) => ({ audiences, on })
