import { type ComponentType, createElement, lazy, Suspense } from 'react'

/** A drawer or dialog whose code comes when it is first opened; until then nothing stands in its place. */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): ComponentType<P> {
  const Part = lazy(load)
  return (props) => <Suspense fallback={null}>{createElement(Part, props)}</Suspense>
}
