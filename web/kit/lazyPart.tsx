import { type ComponentType, createElement, type ReactNode } from 'react'

import { barePart, type Load, type Part } from './barePart.tsx'

/** A drawer, dialog or field whose code comes when it is first wanted, and with it the controls that it is made of. */
export const lazyPart = <P extends object>(load: Load<P>, wait?: (props: P) => ReactNode): Part<P> =>
  barePart(async () => {
    const [{ default: Inner }, { Controls }] = await Promise.all([load(), import('./Controls.tsx')])
    const Controlled: ComponentType<P> = (props) => <Controls>{createElement(Inner, props)}</Controls>
    return { default: Controlled }
  }, wait)
