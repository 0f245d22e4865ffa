import { useEffect } from 'react'

import { barePart } from '../../kit/barePart.tsx'
import { SharedView } from '../../parts/shared/SharedView.tsx'
import type { Bearer } from './bearer.ts'
import { LinkPicture } from './LinkPicture.tsx'
import { useShare } from './useShare.ts'

import '../../kit/plate.css'

const InterestForm = barePart(() => import('./InterestForm.tsx'))

/** The page of what was sent to a customer, on their telephone. */
export default function SharePart({ bearer }: { bearer: Bearer }) {
  const { away, dead, look, page, read } = useShare(bearer)
  useEffect(() => {
    document.title = page ? `${page.company} · ${page.title}` : '筑管'
  }, [page])
  if (dead)
    return (
      <main className="plate">
        <h1>这个链接不能再看了</h1>
        <p>可能已经过期，或者发给您的人收回了。想继续了解，请联系发给您链接的人。</p>
      </main>
    )
  if (!page && away)
    return (
      <main className="plate">
        <h1>连接不上服务器</h1>
        <p>请到有网络的地方再试一次。</p>
        <button className="button primary" onClick={() => void read()}>
          重试
        </button>
      </main>
    )
  if (!page) return <main className="plate" aria-busy="true" />
  return (
    <SharedView
      page={page}
      away={away}
      look={look}
      picture={(key, title) => <LinkPicture bearer={bearer} of={key} title={title} />}
    >
      <InterestForm bearer={bearer} maker={page.maker} />
    </SharedView>
  )
}
