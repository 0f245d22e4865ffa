import {
  MOST_PICTURES,
  MOST_WORDS,
  type OwnMessage,
  TAKE_BACK_S,
  threadChannel,
  threadSide,
} from '@zhuguan/contract/features/threads/thread-page.record.ts'
import { useEffect, useMemo, useRef, useState } from 'react'

import { message } from '../kit/notices.ts'
import { shrink } from '../kit/shrink.ts'
import { clock, dayOf } from '../kit/time.ts'
import {
  type HomeBearer,
  type OwnerThreadState,
  ownPicture,
  type Unsent,
  useOwnerThread,
} from './useOwnerThread.ts'

import './ownerThread.css'

const { page } = threadChannel.code

/** The thread of a home and us, on the owner's telephone. */
export function OwnerThread({ bearer }: { bearer: HomeBearer }) {
  const thread = useOwnerThread(bearer)
  const { messages, more, waiting, why } = thread
  const end = useRef<HTMLDivElement>(null)
  // What was just written comes into view; what others write moves nothing on the page.
  useEffect(() => {
    if (waiting.length) end.current?.scrollIntoView({ block: 'nearest' })
  }, [waiting.length])
  return (
    <section className="own-thread" aria-label="留言">
      {why && (
        <p className="own-why" role="status">
          {why}
        </p>
      )}
      {!messages && !why && (
        <p className="quiet" aria-busy="true">
          正在读取…
        </p>
      )}
      {messages?.length === 0 && waiting.length === 0 && (
        <p className="quiet">有什么想问的，写在下面，项目管家会回复您。</p>
      )}
      {more && messages?.[0] && (
        <button className="button" onClick={() => void thread.read(messages[0]!.seq)}>
          更早的留言
        </button>
      )}
      <ol>
        {messages?.map((m, i) => (
          <Line
            key={m.id}
            of={m}
            day={i === 0 || dayOf(messages[i - 1]!.at) !== dayOf(m.at) ? dayOf(m.at) : ''}
            bearer={bearer}
            thread={thread}
          />
        ))}
        {waiting.map((u) => (
          <Waiting key={u.act} of={u} onDrop={() => void thread.drop(u)} />
        ))}
      </ol>
      <div ref={end} />
      <Write thread={thread} />
    </section>
  )
}

function Line({
  of: m,
  day,
  bearer,
  thread,
}: {
  of: OwnMessage
  day: string
  bearer: HomeBearer
  thread: OwnerThreadState
}) {
  const isFresh = m.mine && !m.isTaken && thread.now() - m.at < TAKE_BACK_S
  const back = () => thread.takeBack(m.id).catch((error: Error) => message.error(error.message))
  return (
    <>
      {day && <li className="own-day">{day}</li>}
      <li className={m.side === threadSide.code.owner ? 'own-line theirs' : 'own-line'}>
        <p>
          <b>{m.who}</b> {clock(m.at)}
          {m.channel !== page && ` ${threadChannel.label(m.channel)}`}
        </p>
        <div className="own-words">
          {m.isTaken ? <span className="quiet">已撤回</span> : m.words}
          {m.pictures.map((key) => (
            <OwnPicture key={key} picture={key} bearer={bearer} />
          ))}
        </div>
        {isFresh && (
          <button className="text-button" onClick={() => void back()}>
            撤回
          </button>
        )}
      </li>
    </>
  )
}

const Waiting = ({ of: u, onDrop }: { of: Unsent; onDrop: () => void }) => (
  <li className="own-line theirs unsent">
    <p role="status">{u.why ? `没有发出：${u.why}` : '还没有发出，有网络时自动发送'}</p>
    <div className="own-words">
      {u.words}
      {u.photos.length > 0 && <span className="quiet">（{u.photos.length} 张照片）</span>}
    </div>
    {u.why && (
      <button className="text-button" onClick={onDrop}>
        知道了
      </button>
    )}
  </li>
)

function OwnPicture({ picture, bearer }: { picture: string; bearer: HomeBearer }) {
  const [src, setSrc] = useState('')
  const [large, setLarge] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    let made = ''
    ownPicture(bearer, picture, stop.signal).then(
      (bytes) => {
        if (!stop.signal.aborted) setSrc((made = URL.createObjectURL(bytes)))
      },
      () => {},
    )
    return () => {
      stop.abort()
      if (made) URL.revokeObjectURL(made)
    }
  }, [picture])
  if (!src) return <span className="own-picture none" aria-busy="true" />
  return (
    <button className={large ? 'own-picture large' : 'own-picture'} onClick={() => setLarge(!large)}>
      <img src={src} alt={large ? '留言照片，点一下缩小' : '留言照片，点一下放大'} />
    </button>
  )
}

/** A word with pictures; what is written is kept in this telephone until it is sent. */
function Write({ thread }: { thread: OwnerThreadState }) {
  const [words, setWords] = useState('')
  const [photos, setPhotos] = useState<Blob[]>([])
  useEffect(() => {
    void thread.draft().then((kept) => kept && setWords(kept))
  }, [])
  const put = (next: string) => {
    setWords(next)
    thread.keep(next)
  }
  async function add(files: Iterable<File>) {
    const made = await Promise.all([...files].map(shrink))
    if (made.some((one) => !one)) message.error('有照片读不出来，请换一张')
    setPhotos((old) => [...old, ...made.filter((one) => one !== undefined)].slice(0, MOST_PICTURES))
  }
  async function send() {
    try {
      await thread.say(words.trim(), photos)
      put('')
      setPhotos([])
    } catch {
      message.error('手机里存不下了，请清理一些空间再试')
    }
  }
  return (
    <div className="own-write">
      {photos.length > 0 && (
        <div className="own-photos">
          {photos.map((photo, i) => (
            <Chosen
              key={i}
              photo={photo}
              onRemove={() => setPhotos((old) => old.filter((one) => one !== photo))}
            />
          ))}
        </div>
      )}
      <textarea
        aria-label="写留言"
        rows={2}
        maxLength={MOST_WORDS}
        value={words}
        placeholder="写给项目管家"
        onChange={(e) => put(e.target.value)}
      />
      <div className="own-bar">
        <label className="button" aria-disabled={photos.length >= MOST_PICTURES}>
          照片
          <input
            className="sr-only"
            type="file"
            accept="image/*"
            multiple
            disabled={photos.length >= MOST_PICTURES}
            onChange={(e) => {
              void add([...(e.target.files ?? [])].slice(0, MOST_PICTURES - photos.length))
              e.target.value = ''
            }}
          />
        </label>
        <button
          className="button primary"
          disabled={words.trim() === '' && photos.length === 0}
          onClick={() => void send()}
        >
          发送
        </button>
      </div>
    </div>
  )
}

function Chosen({ photo, onRemove }: { photo: Blob; onRemove: () => void }) {
  const src = useMemo(() => URL.createObjectURL(photo), [photo])
  useEffect(() => () => URL.revokeObjectURL(src), [src])
  return (
    <span className="own-chosen">
      <img src={src} alt="要发的照片" />
      <button aria-label="去掉照片" onClick={onRemove}>
        ×
      </button>
    </span>
  )
}
