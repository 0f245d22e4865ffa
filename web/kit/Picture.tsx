import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { callForBytes } from './api.ts'

const KEPT = 200
const urls = new Map<string, Promise<string>>()

/** Pictures need the session's headers, so they come as bytes; the newest two hundred are kept. */
function urlOf(key: string, size: 'thumb' | 'full'): Promise<string> {
  const id = `${size}:${key}`
  const kept = urls.get(id)
  if (kept) {
    urls.delete(id)
    urls.set(id, kept)
    return kept
  }
  const url = callForBytes(filesApi.get, { query: { key, size } }).then((blob) => URL.createObjectURL(blob))
  url.catch(() => urls.delete(id))
  urls.set(id, url)
  if (urls.size > KEPT) {
    const [oldest, gone] = urls.entries().next().value!
    urls.delete(oldest)
    void gone.then((u) => URL.revokeObjectURL(u), () => {})
  }
  return url
}

function useUrl(key: string | null, size: 'thumb' | 'full'): string | null | undefined {
  const [url, setUrl] = useState<string | null | undefined>(undefined)
  useEffect(() => {
    let live = true
    if (key) urlOf(key, size).then((u) => live && setUrl(u), () => live && setUrl(null))
    return () => {
      live = false
    }
  }, [key, size])
  return url
}

export function Picture({ picture, caption, width, height, size = 'thumb', plain }: { picture: string | null; caption: string; width?: number | string; height?: number | string; size?: 'thumb' | 'full'; /** Only shows; the parent is the button. */ plain?: boolean }) {
  const url = useUrl(picture, size)
  const [open, setOpen] = useState(false)
  const style = { width, height }
  if (!picture || url === null) return <span className="pic none" style={style}>{picture ? '图片读取失败' : '无图片'}</span>
  const image = url ? <img src={url} alt={caption} loading="lazy" /> : null
  if (plain) return <span className="pic" style={style}>{image}</span>
  return (
    <>
      <button type="button" className="pic" style={style} aria-label={`放大 ${caption}`} onClick={(e) => { e.stopPropagation(); setOpen(true) }}>{image}</button>
      {open && <Viewer picture={picture} caption={caption} onClose={() => setOpen(false)} />}
    </>
  )
}

function Viewer({ picture, caption, onClose }: { picture: string; caption: string; onClose: () => void }) {
  const url = useUrl(picture, 'full')
  const [zoom, setZoom] = useState(1)
  useEffect(() => {
    const on = (e: KeyboardEvent) => e.key === 'Escape' && onClose()
    addEventListener('keydown', on, true)
    return () => removeEventListener('keydown', on, true)
  }, [onClose])
  return createPortal(
    <div className="viewer" role="dialog" aria-modal="true" aria-label={caption} onClick={onClose} onWheel={(e) => setZoom((z) => Math.min(5, Math.max(1, z - e.deltaY / 500)))}>
      {url ? <img src={url} alt={caption} style={{ transform: `scale(${zoom})` }} onClick={(e) => e.stopPropagation()} /> : <span />}
      <footer onClick={(e) => e.stopPropagation()}><span>{caption}</span>{url && <a href={url} download={picture} style={{ color: '#fff' }}>下载</a>}<button autoFocus onClick={onClose}>关闭 Esc</button></footer>
    </div>,
    document.body,
  )
}
