import { useState } from 'react'

interface Live {
  /** The view in which the picture moves now. */
  view: string | undefined
  /** Why somebody looks has to be said first. */
  asks: boolean
}
export type OnLive = (camera: string, live: Live | undefined) => void

/** The states of the cameras on the wall, by camera; those that are no longer shown have none. */
export function useLives() {
  const [lives, setLives] = useState<Readonly<Record<string, Live | undefined>>>({})
  const onLive: OnLive = (id, live) =>
    setLives((old) =>
      old[id]?.view === live?.view && old[id]?.asks === live?.asks ? old : { ...old, [id]: live },
    )
  return {
    viewOf: (id: string | undefined) => lives[id ?? '']?.view,
    asks: Object.values(lives).some((live) => live?.asks),
    onLive,
  }
}
