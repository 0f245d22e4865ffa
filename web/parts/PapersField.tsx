import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { useState } from 'react'

import { callForBytes, upload } from '../kit/api.ts'
import { Field, type Look } from '../kit/form/Field.tsx'
import type { Fields } from '../kit/form/useForm.ts'
import { message } from '../kit/notices.ts'
import { saveAs } from '../kit/save.ts'

import './papers.css'

export interface Paper {
  key: string
  name: string
}
/** A name without what says its kind, as long as the contract takes it. */
const nameOf = (file: File): string => file.name.replace(/\.[^.]+$/, '').slice(0, 60) || '附件'
/** Who may see it gets it saved: nothing of it is opened in this page. */
export async function savePaper({ key, name }: Paper): Promise<void> {
  try {
    saveAs(await callForBytes(filesApi.get, { query: { key } }), `${name}.${key.split('.').pop()!}`)
  } catch (error) {
    message.error((error as Error).message)
  }
}

/** Papers that are signed: PDFs or pictures, sent as they are chosen. */
export function PapersField<B>({
  of: { raw },
  name,
  most = 10,
  ...look
}: Look & { of: Fields<B>; name: keyof B & string; most?: number }) {
  const given = raw.get(name) as readonly Paper[] | Paper | null | undefined
  const papers = [given ?? []].flat() as readonly Paper[]
  const single = most === 1
  const put = (all: readonly Paper[]) => raw.put(name, single ? (all.at(-1) ?? null) : all.slice(0, most))
  const [busy, setBusy] = useState(false)
  async function send(files: readonly File[]) {
    setBusy(true)
    let all = papers
    for (const file of files)
      try {
        const { key } = await upload<{ key: string }>(filesApi.paper, file)
        all = [...all, { key, name: nameOf(file) }]
        put(all)
      } catch (error) {
        message.error(`“${file.name}”没有传上去：${(error as Error).message}`)
      }
    setBusy(false)
  }
  return (
    <Field of={raw} name={name} {...look} hint={look.hint ?? 'PDF、JPG、PNG，每个最多 8 MB'}>
      {({ id, disabled }) => (
        <div className="papers" aria-busy={busy}>
          {papers.map((p) => (
            <span key={p.key} className="paper">
              {p.name}
              <small>{p.key.endsWith('.pdf') ? 'PDF' : '图片'}</small>
              <button
                type="button"
                aria-label={`去掉${p.name}`}
                onClick={() => put(papers.filter((o) => o.key !== p.key))}
              >
                ×
              </button>
            </span>
          ))}
          {(!single || papers.length === 0) && (
            <label className="button" aria-disabled={disabled || busy}>
              {busy ? '正在上传…' : '选择文件'}
              <input
                id={id}
                className="sr-only"
                type="file"
                accept="application/pdf,image/jpeg,image/png,image/webp"
                multiple={!single}
                disabled={disabled || busy}
                onChange={(e) => {
                  void send([...(e.target.files ?? [])])
                  e.target.value = ''
                }}
              />
            </label>
          )}
        </div>
      )}
    </Field>
  )
}
