import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import {
  type CaseDetail,
  type CaseMask,
  type CasePicture,
  casePictureState,
  MASK_UNIT,
} from '@zhuguan/contract/features/cases/cases.record.ts'
import { type Actor, hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

import { ApiError, call } from '../../kit/api.ts'
import { message } from '../../kit/notices.ts'
import { pictureAt } from '../../kit/pictureAt.ts'
import { PlacedBox, PlacedMark } from '../../kit/PlacedBox.tsx'
import { refusalIn } from '../../kit/RowActions.tsx'
import { casePictureAt } from '../../parts/casePicture.ts'
import { useActor } from '../../parts/session.ts'
import { MaskTools, ReleaseTools } from './MaskTools.tsx'
import { limit, type Masks, NEW, SMALLEST, useMasks } from './useMasks.ts'

const { masked, pulled, raw, released } = casePictureState.code

/** When and where it was taken, and whose hands and eyes it went through. */
function aboutOf(p: CasePicture): string {
  const by = [p.maskedBy && `${p.maskedBy}打码`, p.state === released && `${p.releasedBy}放行`]
  return [`${p.day} ${p.camera}`, casePictureState.label(p.state), ...by].filter(Boolean).join(' · ')
}

/** The effect of a key; an arrow moves the chosen rectangle, with Shift its edge. */
function useMaskKeys(
  does: Readonly<Record<string, (() => unknown) | false>>,
  moved: (e: KeyboardEvent) => boolean,
): void {
  useEffect(() => {
    const on = (e: KeyboardEvent) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return
      if (e.key === 'Enter' && (e.target as HTMLElement).tagName === 'BUTTON') return
      const act = does[e.key.length === 1 ? e.key.toLowerCase() : e.key]
      if (!moved(e) && !act) return
      if (act) void act()
      e.stopPropagation()
      e.preventDefault()
    }
    addEventListener('keydown', on, true)
    return () => removeEventListener('keydown', on, true)
  })
}

/** The picture, with its rectangles where somebody draws them. */
function Frame({ of: p, edits, masks: m }: { of: CasePicture; edits: boolean; masks: Masks }) {
  const drag = useRef<{ x: number; y: number } | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  const spot = (e: PointerEvent) => {
    const box = frame.current!.getBoundingClientRect()
    return {
      x: limit(((e.clientX - box.left) / box.width) * MASK_UNIT, 0, MASK_UNIT),
      y: limit(((e.clientY - box.top) / box.height) * MASK_UNIT, 0, MASK_UNIT),
    }
  }
  const down = (e: PointerEvent) => {
    if (!edits) return
    e.currentTarget.setPointerCapture(e.pointerId)
    drag.current = spot(e)
  }
  const up = (e: PointerEvent) => {
    const from = drag.current
    drag.current = null
    if (!from) return
    const to = spot(e)
    const drawn = {
      x: Math.min(from.x, to.x),
      y: Math.min(from.y, to.y),
      w: Math.abs(to.x - from.x),
      h: Math.abs(to.y - from.y),
    }
    if (drawn.w > SMALLEST && drawn.h > SMALLEST) m.add(drawn)
  }
  const source = edits || !p.rendition ? pictureAt(p.source, 'full') : casePictureAt(p.rendition, 'full')
  return (
    <div className="mask-stage">
      <div className="mask-frame" ref={frame} onPointerDown={down} onPointerUp={up}>
        <img src={source} alt={`${p.day} 的照片`} draggable={false} />
        {edits && p.fixed.map((mask, i) => <PlacedMark key={i} as="mask-fixed" at={mask} />)}
        {edits && m.crop && <PlacedMark as="mask-crop" at={m.crop} />}
        {edits &&
          m.masks.map((mask, i) => (
            <PlacedBox
              key={i}
              label={`打码 ${i + 1}`}
              at={mask}
              on={i === m.chosen}
              onChoose={() => m.setChosen(i)}
            />
          ))}
      </div>
    </div>
  )
}

interface Props {
  of: CaseDetail
  start: string
  onDone: () => void
  onClose: () => void
}
/**
 * The queue of a case's pictures: rectangles by pointer or keyboard, then the next one. Whoever releases sees what will
 * be public, and nothing else; whoever masks sees the picture of the site.
 */
export default function MaskView({ of: k, start, onDone, onClose }: Props) {
  const [id, setId] = useState(start)
  const found = k.pictures.findIndex((p) => p.id === id)
  const at = Math.max(0, found)
  const p = k.pictures[at]!
  const go = (by: number) => setId(k.pictures[at + by]?.id ?? id)
  /** The next one that waits for the same hands. */
  const done = () => {
    const rest = [...k.pictures.slice(at + 1), ...k.pictures.slice(0, at)]
    setId(rest.find((o) => o.state === p.state)?.id ?? id)
    onDone()
  }
  return createPortal(
    <div
      className="mask-view"
      role="dialog"
      aria-modal="true"
      aria-label={`照片 ${at + 1}`}
      data-theme="dark"
    >
      <header>
        <b>
          {k.title} · {at + 1}/{k.pictures.length}
        </b>
        <span>{aboutOf(p)}</span>
        <button disabled={at === 0} onClick={() => go(-1)}>
          ‹ 上一张（K）
        </button>
        <button disabled={at === k.pictures.length - 1} onClick={() => go(1)}>
          下一张（J） ›
        </button>
        <button onClick={onClose}>关闭（Esc）</button>
      </header>
      <Shot key={`${p.id} ${p.version}`} of={p} go={go} onDone={done} onChanged={onDone} onClose={onClose} />
    </div>,
    document.body,
  )
}

/** Whoever masked a picture does not release it. */
const mayOf = (actor: Actor, p: CasePicture) => ({
  mayMask: hasPermission(actor, 'case:mask') && p.state !== pulled,
  mayRelease: hasPermission(actor, 'case:release') && p.state === masked && p.masked_by !== actor.id,
})

interface ShotProps {
  of: CasePicture
  go: (by: number) => void
  onDone: () => void
  /** It is another one now, and stays in sight. */
  onChanged: () => void
  onClose: () => void
}
/** One picture and what may be done to it now. */
function Shot({ of: p, go, onDone, onChanged, onClose }: ShotProps) {
  const m = useMasks(p)
  const [isEditing, setEditing] = useState(false)
  const [why, setWhy] = useState('')
  const [busy, setBusy] = useState(false)
  const { mayMask, mayRelease } = mayOf(useActor(), p)
  const edits = mayMask && (isEditing || p.state === raw)
  async function send(work: () => Promise<unknown>, after = onDone) {
    if (busy) return
    setBusy(true)
    setWhy('')
    try {
      await work()
      after()
    } catch (error) {
      // What the other one made of it comes in its place.
      if (error instanceof ApiError && error.overtaken) {
        message.error(refusalIn(error))
        onChanged()
      } else setWhy((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  const seen = { id: p.id, version: p.version }
  const save = (clear: boolean) =>
    send(() =>
      call(casesApi.mask, { body: { ...seen, turn: 0, masks: clear ? [] : m.masks, crop: m.crop, clear } }),
    )
  const zones = (masks: CaseMask[], after: () => void) =>
    send(() => call(casesApi.zones, { body: { ...seen, masks } }), after)
  const chosen = m.masks[m.chosen]
  const fix = () =>
    chosen &&
    zones([...p.fixed, chosen], () => {
      m.drop()
      onChanged()
    })
  const release = () => send(() => call(casesApi.release, { body: seen }))
  const pull = () => send(() => call(casesApi.pull, { body: { ...seen, reason: '不适合公开' } }))
  const always = { Escape: onClose, j: () => go(1), k: () => go(-1) }
  const drop = m.chosen >= 0 && m.drop
  const any = m.masks.length + p.fixed.length > 0
  const drawing = {
    n: () => m.add(NEW),
    y: p.proposed.length > 0 && m.take,
    Tab: m.masks.length > 0 && m.next,
    c: (m.chosen >= 0 || !!m.crop) && m.toggleCrop,
    f: !!p.camera && m.chosen >= 0 && !busy && fix,
    Delete: drop,
    Backspace: drop,
    Enter: any && (() => save(false)),
  }
  useMaskKeys(
    { ...always, ...(edits ? drawing : { Enter: mayRelease && release }) },
    (e) => edits && m.moved(e),
  )
  return (
    <>
      <Frame of={p} edits={edits} masks={m} />
      <footer>
        {edits && (
          <MaskTools
            of={p}
            masks={m}
            busy={busy}
            onFix={() => void fix()}
            onUnfix={() => void zones([], onChanged)}
            onSave={save}
          />
        )}
        <ReleaseTools
          may={{ mayMask, mayRelease }}
          edits={edits}
          busy={busy}
          onAgain={() => setEditing(true)}
          onPull={() => void pull()}
          onRelease={() => void release()}
        />
        {why && <span role="alert">{why}</span>}
        {edits && p.moved && <span role="status">这个机位转过方向，以前固定的遮挡不再算数，请重新框</span>}
      </footer>
      <p className="quiet">
        {edits
          ? '在人脸、门牌、车牌、屏幕、纸张上拖出方框；Tab 换一处，方向键移动，Shift+方向键改大小'
          : '这就是将来公开的样子；放行的人不能是打码的人'}
      </p>
    </>
  )
}
