import type { DoorWord, DriverStop } from '@zhuguan/contract/features/dispatch/driver.record.ts'
import { doorWord } from '@zhuguan/contract/features/dispatch/driver.record.ts'
import { useEffect, useRef, useState } from 'react'

import { message } from '../../kit/notices.ts'
import { PhotoField, WordsField } from './DoorFields.tsx'
import type { SayAct } from './outbox.ts'
import { usePlace } from './usePlace.ts'
import { WhereField } from './WhereField.tsx'

export type Said = Pick<SayAct, 'lat' | 'lng' | 'photo' | 'place' | 'reason' | 'word'>
const { lost, nobody, refused } = doorWord.code
/** What becomes of it, told before it is said. */
const THEN: Record<DoorWord, string> = {
  [nobody]: '货还在您车上。下单方和工地项目经理会马上收到通知，联系好以后可以再送。',
  [refused]: '整单退回给商家，商家和下单方会马上收到通知。只拒收一部分的，请用“交货”填写收下的数量。',
  [lost]: '整单记为遗失，商家和下单方会马上收到通知，由商家重新发货。',
}
const EXAMPLE: Record<DoorWord, string> = {
  [nobody]: '敲门没人，电话没人接',
  [refused]: '业主说颜色不对，不收',
  [lost]: '卸前一站时被一起卸走，找不到了',
}
const LONGEST_PLACE = 60

/** It cannot be handed over: why, with a picture, and where. */
export function DoorSheet({
  stop,
  draft,
  onClose,
  onDone,
}: {
  stop: DriverStop
  /** The refused ones, once more. */
  draft: Pick<SayAct, 'photo' | 'place' | 'reason' | 'word'> | null
  onClose: () => void
  onDone: (said: Said) => Promise<void>
}) {
  const [word, setWord] = useState<DoorWord | null>(draft?.word ?? null)
  const [reason, setReason] = useState(draft?.reason ?? '')
  const [photo, setPhoto] = useState<Blob | null>(draft?.photo ?? null)
  const [place, setPlace] = useState(draft?.place ?? stop.address.slice(0, LONGEST_PLACE))
  const [busy, setBusy] = useState(false)
  const found = usePlace()
  const sheet = useRef<HTMLElement>(null)
  useEffect(() => {
    sheet.current?.scrollIntoView()
  }, [])
  async function done() {
    if (!word) return message.error('请选择是哪种情况')
    if (reason.trim().length < 2) return message.error('请写明原因（至少 2 个字）')
    if (!photo && word !== lost) return message.error('请先拍一张现场的照片')
    setBusy(true)
    const { lat = null, lng = null } = found.at ?? {}
    // What could not be kept is said by whoever keeps it; the sheet stays as it is.
    await onDone({ word, reason: reason.trim(), photo, place: place.trim(), lat, lng }).catch(() => {})
    setBusy(false)
  }
  return (
    <section ref={sheet} className="driver-sheet" role="dialog" aria-label="交不了货">
      <header>
        <h2>交不了货 {stop.code}</h2>
        <button className="text-button" onClick={onClose}>
          返回
        </button>
      </header>
      <fieldset className="driver-words">
        <legend>是哪种情况</legend>
        {[nobody, refused, lost].map((w) => (
          <label key={w} className="driver-word">
            <input type="radio" name="word" checked={word === w} onChange={() => setWord(w)} />
            {doorWord.label(w)}
          </label>
        ))}
      </fieldset>
      {word && <p className="quiet">{THEN[word]}</p>}
      <WordsField
        id="why"
        label="原因"
        example={EXAMPLE[word ?? nobody]}
        value={reason}
        onChange={setReason}
      />
      <PhotoField
        label={word === lost ? '照片（可以不拍）' : '照片'}
        alt="现场照片"
        photo={photo}
        onTaken={setPhoto}
      />
      <WhereField id="door" value={place} found={found} onChange={setPlace} />
      <footer>
        <button className="button primary" disabled={busy} onClick={() => void done()}>
          确认
        </button>
      </footer>
    </section>
  )
}
