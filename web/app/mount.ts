import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'

declare global {
  interface Window {
    zhuguanMount(at: HTMLElement): void
  }
}

/** Leaves `app` to be mounted by index.html, which does not wait for this file to paint its form. */
export function mountable(app: ReactNode): void {
  let root: Root | undefined
  window.zhuguanMount = (at) => {
    root ??= createRoot(at)
    root.render(app)
  }
}
