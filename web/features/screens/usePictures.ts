import type { PaintedScene } from '@zhuguan/contract/features/screens/walls-content.record.ts'
import { useEffect, useRef, useState } from 'react'

export type FetchPicture = (of: { case_id: string; key: string }) => Promise<Blob>
/** A picture's address in this browser; empty where it could not be had. */
export type Pictures = ReadonlyMap<string, string>

const wantedIn = (scenes: readonly PaintedScene[]) =>
  scenes.flatMap((s) => ('pictures' in s ? s.pictures.map(({ key }) => ({ case_id: s.case_id, key })) : []))

/** A scene can be painted whole: everything that it shows is in this browser. */
export const isReady = (scene: PaintedScene, pictures: Pictures): boolean =>
  !('pictures' in scene) ||
  (scene.pictures.every((p) => pictures.has(p.key)) && scene.pictures.some((p) => pictures.get(p.key)))

async function drawable(blob: Blob): Promise<string> {
  const url = URL.createObjectURL(blob)
  const image = new Image()
  image.src = url
  await image.decode()
  return url
}

/** Has the pictures of all scenes here before one of them is shown, and forgets those that are shown no more. */
export function usePictures(scenes: readonly PaintedScene[], fetch: FetchPicture): Pictures {
  const [pictures, setPictures] = useState<Pictures>(new Map())
  const asked = useRef(new Set<string>())
  const wanted = wantedIn(scenes)
  const names = wanted.map((w) => w.key).join()
  useEffect(() => {
    const still = new Set(wanted.map((w) => w.key))
    for (const key of asked.current) if (!still.has(key)) asked.current.delete(key)
    setPictures((old) => {
      for (const [key, url] of old) if (!still.has(key) && url) URL.revokeObjectURL(url)
      return new Map([...old].filter(([key]) => still.has(key)))
    })
    for (const picture of wanted.filter((w) => !asked.current.has(w.key))) {
      asked.current.add(picture.key)
      const put = (url: string) => setPictures((old) => new Map(old).set(picture.key, url))
      fetch(picture)
        .then(drawable)
        .then(put, () => {
          // Not there, or not now: its scene is left out, and it is asked for again with the next content.
          asked.current.delete(picture.key)
          put('')
        })
    }
  }, [names])
  return pictures
}
