import {
  MOST_PICTURES,
  MOST_WORDS,
  threadChannel,
} from '@zhuguan/contract/features/threads/thread-page.record.ts'
import { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'
import type { ThreadDetail } from '@zhuguan/contract/features/threads/threads.record.ts'
import { Input, Select } from 'antd'
import { useEffect, useRef, useState } from 'react'

import { ApiError, call } from '../../kit/api.ts'
import { Opener } from '../../kit/Floating.tsx'
import { MenuList } from '../../kit/MenuList.tsx'
import { message } from '../../kit/notices.ts'
import { DraftPhotos } from '../../parts/DraftPhotos.tsx'
import { dropDraft, keepDraft, readDraft } from '../../parts/drafts.ts'
import { type DraftPhoto, dropPhotos, keepPhoto, sendPhoto } from '../../parts/photoStore.ts'
import { useActor } from '../../parts/session.ts'

interface Draft {
  words: string
  photos: DraftPhoto[]
}
const EMPTY: Draft = { words: '', photos: [] }
const EVERY_MS = 8_000
const { page } = threadChannel.code
const HOW = threadChannel.options.map((o) => ({
  value: o.value,
  label: o.value === page ? '发到业主页面' : `已${o.label}答复`,
}))

/** Says that an answer is being written, as long as there are words, and hears who else writes one. */
function useWriting(site_id: string, isWriting: boolean): string[] {
  const [others, setOthers] = useState<string[]>([])
  useEffect(() => {
    if (!isWriting) return setOthers([])
    const say = () => void call(threadsApi.writing, { body: { site_id } }).then(setOthers, () => {})
    say()
    const again = setInterval(() => !document.hidden && say(), EVERY_MS)
    return () => clearInterval(again)
  }, [site_id, isWriting])
  return others
}

/** An answer with pictures, kept in this browser until it is sent. */
export function ThreadReply({ thread, refresh }: { thread: ThreadDetail; refresh: () => Promise<void> }) {
  const { site_id } = thread
  const me = useActor().id
  const name = `thread/${site_id}`
  const [{ photos, words }, setDraft] = useState(EMPTY)
  const [channel, setChannel] = useState<(typeof HOW)[number]['value']>(page)
  const [busy, setBusy] = useState(false)
  const [why, setWhy] = useState('')
  const ready = useRef(false)
  // What was seen when it was last looked at here: a word that comes while one writes is read before sending.
  const [seen, setSeen] = useState(thread.newest)
  const others = useWriting(site_id, words !== '')
  useEffect(() => {
    void readDraft<Draft>(me, name).then((kept) => {
      ready.current = true
      if (kept) setDraft(kept)
    })
  }, [])
  const put = (next: Draft) => {
    setDraft(next)
    if (!ready.current) return
    if (next.words || next.photos.length) void keepDraft(me, name, next)
    else void dropDraft(me, name)
  }
  useEffect(() => {
    if (words === '' && !busy) setSeen(thread.newest)
  }, [thread.newest, words === ''])
  async function add(files: Iterable<File>) {
    try {
      const kept = await Promise.all([...files].map(keepPhoto))
      put({ words, photos: [...photos, ...kept].slice(0, MOST_PICTURES) })
    } catch {
      message.error('这张照片读不出来，请换一张')
    }
  }
  async function send() {
    setBusy(true)
    setWhy('')
    try {
      const sent: DraftPhoto[] = []
      for (const photo of photos) {
        const now = photo.key ? photo : await sendPhoto(photo)
        if (now) sent.push(now)
      }
      put({ words, photos: sent })
      if (sent.some((p) => p.why)) return setWhy('有照片不能用，请去掉后再发')
      const pictures = sent.flatMap((p) => p.key ?? [])
      const made = await call(threadsApi.say, { body: { site_id, after: seen, channel, words, pictures } })
      await dropPhotos(sent.map((p) => p.id)).catch(() => {})
      put(EMPTY)
      setSeen(made.seq)
      setChannel(page)
      await refresh()
    } catch (error) {
      setWhy((error as Error).message)
      if (error instanceof ApiError && error.overtaken) {
        await refresh()
        setSeen((await call(threadsApi.details, { query: { site_id } })).newest)
      }
    } finally {
      setBusy(false)
    }
  }
  const isEmpty = words.trim() === '' && photos.length === 0
  return (
    <div className="thread-reply">
      {others.length > 0 && (
        <p className="thread-others" role="status">
          {others.join('、')}正在回复
        </p>
      )}
      {why && (
        <p className="fault" role="alert">
          {why}
        </p>
      )}
      <Input.TextArea
        aria-label="回复业主"
        rows={3}
        maxLength={MOST_WORDS}
        value={words}
        placeholder="回复业主；Ctrl + Enter 发送"
        onChange={(e) => put({ words: e.target.value, photos })}
        onKeyDown={(e) => {
          if (e.key === 'Enter' && (e.ctrlKey || e.metaKey) && !isEmpty && !busy) void send()
        }}
      />
      <div className="thread-bar">
        <DraftPhotos
          own="thread-photo"
          caption="留言照片"
          photos={photos}
          most={MOST_PICTURES}
          must={false}
          frozen={busy}
          onPhotos={(files) => void add(files)}
          onRemove={(id) => {
            void dropPhotos([id]).catch(() => {})
            put({ words, photos: photos.filter((p) => p.id !== id) })
          }}
        />
        {thread.templates.length > 0 && (
          <Opener
            button={
              <button className="button" aria-haspopup="menu">
                常用语
              </button>
            }
          >
            {(close) => (
              <MenuList
                entries={thread.templates.map((text) => ({ key: text, label: text }))}
                onPick={(text) => {
                  close()
                  put({ words: `${words}${text}`.slice(0, MOST_WORDS), photos })
                }}
              />
            )}
          </Opener>
        )}
        <Select
          aria-label="怎样答复的"
          className="thread-how"
          virtual={false}
          value={channel}
          options={HOW}
          onChange={setChannel}
        />
        <button className="button primary" disabled={isEmpty || busy} onClick={() => void send()}>
          {channel === page ? '发送' : '记下'}
        </button>
      </div>
    </div>
  )
}
