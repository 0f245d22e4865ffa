import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { TidinessRow } from '@zhuguan/contract/features/tidiness/tidiness.record.ts'
import { Drawer } from 'antd'
import { useState } from 'react'

import { Compare } from '../../kit/Compare.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { full, short } from '../../kit/time.ts'
import { Tidy } from '../../parts/Tidy.tsx'
import { seenBy } from './words.tsx'

const side = (shot: TidinessRow) => ({
  picture: shot.picture!,
  caption: `${short(shot.at)} ${tidinessResult.label(shot.result)}`,
})

/** Two pictures of one camera over each other; which is the earlier one is chosen. */
export default function CompareDrawer({
  shots,
  id,
  onClose,
}: {
  /** The pictures of one camera, the oldest first. */
  shots: readonly TidinessRow[]
  id: string
  onClose: () => void
}) {
  const clicked = shots.findIndex((t) => t.id === id)
  // The first one is compared with what became of it.
  const after = shots[clicked === 0 ? shots.length - 1 : clicked]!
  const [first, setFirst] = useState(shots[0]!.id)
  const earlier = shots.slice(0, shots.indexOf(after))
  const before = earlier.find((t) => t.id === first) ?? earlier[0]
  return (
    <Drawer
      open
      title={`前后对比：${after.siteName} · ${seenBy(after)}`}
      rootClassName="tidiness-panel"
      size="min(720px, 100vw)"
      onClose={onClose}
    >
      {before ? (
        <Compare key={before.id} before={side(before)} after={side(after)} />
      ) : (
        <div className="seen">
          <Picture
            picture={after.picture}
            caption={`${seenBy(after)} ${full(after.at)}`}
            width="100%"
            size="full"
          />
          <p className="quiet">这段时间这台摄像头只有这一张照片，无法对比。</p>
        </div>
      )}
      {before && (
        <>
          <h3>与哪一张对比</h3>
          <div className="over-time">
            <ol>
              {earlier.map((t) => (
                <li key={t.id}>
                  <button
                    className={`shot${t.id === before.id ? ' now' : ''}`}
                    aria-pressed={t.id === before.id}
                    aria-label={`与 ${short(t.at)} 的照片对比`}
                    onClick={() => setFirst(t.id)}
                  >
                    <Picture plain picture={t.picture} caption={full(t.at)} />
                  </button>
                  <small>{short(t.at)}</small>
                  <span>
                    <Tidy result={t.result} />
                  </span>
                </li>
              ))}
            </ol>
          </div>
        </>
      )}
      <p>
        <LinkTo page="Tidiness" query={{ id: after.id }}>
          打开这次检查
        </LinkTo>
      </p>
    </Drawer>
  )
}
