import { viewPurpose } from '@zhuguan/contract/features/video/purposes.record.ts'
import { useRef, useState } from 'react'

import type { Purpose } from './purpose.ts'

import './purpose.css'

const LEAST = 2

/** The purpose of somebody: asked before the first picture where nobody works now, and changed whenever they like. */
export function PurposeAsk({ late, onSaid }: { late: boolean; onSaid: (purpose: Purpose) => void }) {
  const [purpose, setPurpose] = useState<Purpose['purpose'] | ''>('')
  const [words, setWords] = useState('')
  const other = purpose === viewPurpose.code.other
  const ready = purpose !== '' && (!other || words.trim().length >= LEAST)
  return (
    <form
      className="video-ask"
      onSubmit={(e) => {
        e.preventDefault()
        if (ready) onSaid({ purpose, words: words.trim(), said: true })
      }}
    >
      <h2>查看目的</h2>
      <p>
        {late ? '现在不是上班时间，请先说明为什么看。' : '请说明为什么看。'}
        谁、什么时候、为什么看，都会记录下来。
      </p>
      <div className="video-choices" role="radiogroup" aria-label="查看目的">
        {viewPurpose.options.map((o) => (
          <label key={o.value}>
            <input
              type="radio"
              name="purpose"
              checked={purpose === o.value}
              onChange={() => setPurpose(o.value)}
            />
            {o.label}
          </label>
        ))}
      </div>
      {other && (
        <input
          autoFocus
          aria-label="目的说明"
          placeholder="至少 2 个字"
          maxLength={100}
          value={words}
          onChange={(e) => setWords(e.target.value)}
        />
      )}
      <button className="button primary" disabled={!ready}>
        开始查看
      </button>
    </form>
  )
}

/** A wall shows its stills meanwhile: what is asked for is the live picture alone. */
export function PurposeButton({ onSaid }: { onSaid: (purpose: Purpose) => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button type="button" className="video-purpose" onClick={() => dialog.current!.showModal()}>
        看直播先说明查看目的
      </button>
      <dialog ref={dialog} className="video-dialog" aria-label={viewPurpose.title}>
        <PurposeAsk late onSaid={onSaid} />
      </dialog>
    </>
  )
}
