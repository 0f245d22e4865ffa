import type { ReactNode } from 'react'

import { fullScreen } from '../../kit/fullScreen.ts'
import { clock } from '../../kit/time.ts'

import '../../kit/board.css'
import './caseField.css'

/** What is taken back is gone here as well, heard or not. */
export const REFRESH_MS = 10_000
/** Where the customer lives, as far as it was said. */
export interface Place {
  community: string
  city: string
}
export const saidOf = ({ city, community }: Place) => ({ community: community || undefined, city })

/** The frame of what is shown in a store: what it is, as of when, and what can be done with it. */
export function CaseBoard({
  title,
  at,
  head,
  children,
}: {
  title: string
  at: number
  head: ReactNode
  children: ReactNode
}) {
  return (
    <div className="board case-field" data-theme="dark">
      <header>
        <h1>{title}</h1>
        {head}
        <time>{clock(at)}</time>
        <button
          onClick={fullScreen}
          title="全屏（F）；Enter 打开，← → 换照片，T 时间轴，↑ ↓ 换案例，N 现在，Esc 返回"
        >
          全屏
        </button>
      </header>
      {children}
    </div>
  )
}
