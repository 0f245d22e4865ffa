import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react'

export type Load<P> = () => Promise<{ default: ComponentType<P> }>
export type Part<P> = ((props: P) => ReactNode) & {
  /** Fetches the code before it is wanted. */
  ahead: () => void
}

/**
 * What is drawn with nothing of the library of controls and comes when it is first wanted; until then `wait` stands in
 * its place. Once there it is drawn at once: React's own boundary would hold it back for 300 ms (docs/decisions/0670).
 */
export function barePart<P extends object>(
  load: Load<P>,
  wait: (props: P) => ReactNode = () => null,
): Part<P> {
  let here: ComponentType<P> | undefined
  let coming: Promise<unknown> | undefined
  const fetchOnce = () =>
    (coming ??= load().then(
      (loaded) => (here = loaded.default),
      (error: unknown) => {
        coming = undefined
        throw error
      },
    ))
  function Slot(props: P) {
    const [, draw] = useState(0)
    const drawn = here
    useEffect(() => {
      if (drawn) return
      let gone = false
      fetchOnce().then(
        () => gone || draw((n) => n + 1),
        // Thrown while drawing, so that the boundary around it says so.
        (error: unknown) =>
          gone ||
          draw(() => {
            throw error
          }),
      )
      return () => void (gone = true)
    }, [])
    return drawn ? createElement(drawn, props) : wait(props)
  }
  return Object.assign(Slot, { ahead: () => void fetchOnce().catch(() => {}) })
}
/** The part that travels with the application, in the shape of what does not. */
export const herePart = <P extends object>(Component: ComponentType<P>): Part<P> =>
  Object.assign((props: P) => createElement(Component, props), { ahead: () => {} })
