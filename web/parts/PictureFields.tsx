import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'

import { upload } from '../kit/api.ts'
import { Field, type Look } from '../kit/form/Field.tsx'
import type { Fields, NamesOf, TextName } from '../kit/form/useForm.ts'
import { message } from '../kit/notices.ts'
import { Picture } from '../kit/Picture.tsx'
import { usePhone } from '../kit/usePhone.ts'

import './pictures.css'

const KINDS = ['image/jpeg', 'image/png', 'image/webp']

/** Sends pictures as they are chosen, taken, dropped or pasted; `add` is told each one's key. */
function useUploads(add: (key: string) => void) {
  const [busy, setBusy] = useState(0)
  async function send(files: readonly File[]) {
    for (const file of files) {
      if (!KINDS.includes(file.type)) {
        message.error(`“${file.name}”不是照片，请选 JPG、PNG 或 WebP`)
        continue
      }
      setBusy((n) => n + 1)
      try {
        add((await upload<{ key: string }>(filesApi.upload, file)).key)
      } catch (error) {
        message.error(`“${file.name}”没有传上去：${(error as Error).message}`)
      } finally {
        setBusy((n) => n - 1)
      }
    }
  }
  return { busy: busy > 0, send: (files: Iterable<File> | null | undefined) => void send([...(files ?? [])]) }
}

function Drop({
  id,
  several,
  camera,
  busy,
  disabled,
  onFiles,
  children,
}: {
  id: string
  several: boolean
  camera: 'user' | 'environment'
  busy: boolean
  disabled: boolean
  onFiles: (files: Iterable<File> | null | undefined) => void
  children: ReactNode
}) {
  const phone = usePhone()
  const [over, setOver] = useState(false)
  const take = useRef(onFiles)
  take.current = onFiles
  useEffect(() => {
    const paste = (e: ClipboardEvent) => {
      if (e.clipboardData?.files.length) take.current(e.clipboardData.files)
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [])
  const choose = phone ? '从相册选' : '选择照片'
  const chooser = (own: string, text: string, capture?: 'user' | 'environment') => (
    <label className="button" aria-disabled={disabled || busy}>
      {text}
      <input
        id={own}
        className="sr-only"
        type="file"
        accept={KINDS.join()}
        multiple={several && !capture}
        capture={capture}
        disabled={disabled || busy}
        onChange={(e) => {
          onFiles(e.target.files)
          e.target.value = ''
        }}
      />
    </label>
  )
  return (
    <div
      className={`drop${over ? ' over' : ''}`}
      aria-busy={busy}
      onDragOver={(e) => {
        e.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(e) => {
        e.preventDefault()
        setOver(false)
        onFiles(e.dataTransfer.files)
      }}
    >
      {children}
      <span className="drop-choose">
        {phone && chooser(`${id}-camera`, '拍照', camera)}
        {chooser(id, busy ? '正在上传…' : choose)}
        {!phone && <small>也可以拖进来，或按 Ctrl+V 粘贴</small>}
      </span>
    </div>
  )
}

function Shot({
  picture,
  caption,
  size,
  off,
}: {
  picture: string
  caption: string
  size: number
  off: () => void
}) {
  return (
    <span className="drop-shot">
      <Picture picture={picture} caption={caption} width={size} height={size * 0.75} />
      <button type="button" aria-label={`去掉${caption}`} onClick={off}>
        ×
      </button>
    </span>
  )
}

/** Several pictures. */
export function PicturesField<B>({
  of: { raw },
  name,
  caption,
  ...look
}: Look & { of: Fields<B>; name: NamesOf<B, readonly string[]>; caption: string }) {
  const keys = (raw.get(name) as readonly string[] | null | undefined) ?? []
  const kept = useRef(keys)
  kept.current = keys
  const most = raw.asked(name).max?.at ?? Infinity
  const { busy, send } = useUploads((key) =>
    raw.put(name, (kept.current = [...kept.current, key].slice(0, most))),
  )
  return (
    <Field of={raw} name={name} {...look} hint={look.hint ?? `最多 ${most} 张，已有 ${keys.length} 张`}>
      {({ id, disabled }) => (
        <Drop
          several
          id={id}
          camera="environment"
          busy={busy}
          disabled={disabled || keys.length >= most}
          onFiles={send}
        >
          {keys.map((key) => (
            <Shot
              key={key}
              picture={key}
              caption={caption}
              size={112}
              off={() =>
                raw.put(
                  name,
                  keys.filter((k) => k !== key),
                )
              }
            />
          ))}
        </Drop>
      )}
    </Field>
  )
}
interface One<B> {
  of: Fields<B>
  name: TextName<B>
  caption: string
}
/** One picture of a person. */
export const FaceField = <B,>(p: Look & One<B>) => <PictureField {...p} camera="user" />
/** One picture; the next one takes its place. */
export function PictureField<B>({
  of: { raw },
  name,
  caption,
  camera = 'environment',
  ...look
}: Look & One<B> & { camera?: 'user' | 'environment' }) {
  const key = raw.get(name) as string | null | undefined
  const { busy, send } = useUploads((sent) => raw.put(name, sent))
  return (
    <Field of={raw} name={name} {...look}>
      {({ id, disabled }) => (
        <Drop several={false} id={id} camera={camera} busy={busy} disabled={disabled} onFiles={send}>
          {key && <Shot picture={key} caption={caption} size={160} off={() => raw.put(name, null)} />}
        </Drop>
      )}
    </Field>
  )
}
