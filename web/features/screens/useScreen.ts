import { screenDoorApi } from '@zhuguan/contract/features/screens/screen-door.api.ts'
import type { WallContent } from '@zhuguan/contract/features/screens/walls-content.record.ts'
import { useEffect, useRef, useState } from 'react'

import { ApiError, call, randomKey } from '../../kit/api.ts'

const LOOK_MS = 3_000
const ANSWER_MS = 8_000
const REPORT_MS = 20_000
/** After one failure walls come back one after the other, after several spread over a minute. */
const SOON_MS = [3_000, 12_000] as const
const LATER_MS = [5_000, 60_000] as const
const between = ([least, most]: readonly [number, number]) => least + Math.random() * (most - least)

const TAB = 'wall-tab'
const KEPT = 'wall-content'
const RELOADED = 'wall-reloaded'
/** This tab: a reload goes on as the same one, a copy of it does not. */
function tabOf(): string {
  const [entry] = performance.getEntriesByType('navigation')
  const kept = sessionStorage.getItem(TAB)
  if (kept && entry instanceof PerformanceNavigationTiming && entry.type === 'reload') return kept
  const made = randomKey()
  sessionStorage.setItem(TAB, made)
  return made
}
/** The program that this page loaded, as index.html named it. */
const OWN_BUNDLE = document.getElementById('start')?.dataset.link?.split('/').at(-1) ?? ''

/** A wall's report about itself; `since` and `heardAt` are by the page's own clock, which nobody sets. */
export interface Screen {
  state: 'starting' | 'unpaired' | 'wall' | 'elsewhere' | 'revoked'
  code: string
  codeUntil: number
  content: WallContent | null
  heardAt: number
  /** The server's second at `heardAt`. */
  serverAt: number
}
const START: Screen = {
  state: 'starting',
  code: '',
  codeUntil: 0,
  content: null,
  heardAt: 0,
  serverAt: Math.floor(Date.now() / 1_000),
}
/** What was on the wall when this page loaded itself anew goes on at once. */
function begun(): Screen {
  const kept = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  if (!kept) return START
  try {
    const { content, serverAt } = JSON.parse(kept) as Pick<Screen, 'content' | 'serverAt'>
    return { ...START, state: 'wall', content, serverAt }
  } catch {
    return START
  }
}

export interface Word {
  scene: string
  item: string
  frames: number
  age: number
}

/** Asks what to paint for as long as the page is open, and says what it paints. */
export function useScreen(painted: () => Word) {
  const [screen, setScreen] = useState(begun)
  const latest = useRef({ stamp: '', anew: false, newer: '', content: screen.content, serverAt: 0 })
  const said = useRef(painted)
  said.current = painted
  const tab = useRef('')
  tab.current ||= tabOf()
  const size = () => ({
    tab: tab.current,
    width: Math.round(innerWidth * devicePixelRatio),
    height: Math.round(innerHeight * devicePixelRatio),
    bundle: OWN_BUNDLE,
  })

  useEffect(() => {
    let gone = false
    let failures = 0
    let timer: ReturnType<typeof setTimeout>
    const again = (ms: number) => {
      clearTimeout(timer)
      if (!gone) timer = setTimeout(() => void look(), ms)
    }
    // The network is back: nobody waits for as long as they would without it, and not all ask at once.
    const soon = () => again(Math.random() * LOOK_MS)
    addEventListener('online', soon)
    async function look() {
      const { anew, stamp } = latest.current
      latest.current.anew = false
      try {
        const body = { ...size(), stamp, anew }
        const answer = await call(screenDoorApi.look, { body }, AbortSignal.timeout(ANSWER_MS))
        if (gone) return
        failures = 0
        const shows = answer.state === 'wall'
        const content = shows ? (answer.content ?? latest.current.content) : null
        Object.assign(latest.current, {
          content,
          stamp: shows ? answer.stamp : '',
          serverAt: answer.at,
          newer: answer.bundle && OWN_BUNDLE && answer.bundle !== OWN_BUNDLE ? answer.bundle : '',
        })
        setScreen({
          state: answer.state,
          code: answer.code,
          codeUntil: performance.now() + answer.left * 1_000,
          content,
          heardAt: performance.now(),
          serverAt: answer.at,
        })
        again(LOOK_MS)
      } catch (error) {
        failures += 1
        // Who is told to wait, waits; everybody else comes back at a moment of their own.
        const slow = failures > 1 || (error instanceof ApiError && error.code === 429)
        again(between(slow ? LATER_MS : SOON_MS))
      }
    }
    void look()
    const telling = setInterval(() => {
      const body = { ...size(), ...said.current() }
      if (latest.current.content) call(screenDoorApi.report, { body }).catch(() => {})
    }, REPORT_MS)
    return () => {
      gone = true
      removeEventListener('online', soon)
      clearTimeout(timer)
      clearInterval(telling)
    }
  }, [])

  return {
    screen,
    /** After it was taken back: a new code. */
    anew() {
      latest.current.anew = true
    },
    /** Between two scenes: a newer program, once, with what is on the wall kept for its first drawing. */
    betweenScenes() {
      const { content, newer, serverAt } = latest.current
      if (!newer || sessionStorage.getItem(RELOADED) === newer) return
      sessionStorage.setItem(RELOADED, newer)
      sessionStorage.setItem(KEPT, JSON.stringify({ content, serverAt }))
      location.reload()
    },
  }
}
