import { useEffect, useState } from 'react'

import { usePhone } from '../kit/usePhone.ts'
import { type DraftPhoto, readPhoto } from './photoStore.ts'

import './draftPhotos.css'

const KINDS = 'image/jpeg,image/png,image/webp'

/** Pictures of a draft, with the phone's camera as the nearest way to another one. */
export function DraftPhotos({
  own,
  caption,
  photos,
  most,
  must,
  frozen,
  onPhotos,
  onRemove,
}: {
  /** The prefix of the inputs' ids. */
  own: string
  caption: string
  photos: readonly DraftPhoto[]
  most: number
  must: boolean
  frozen: boolean
  onPhotos: (files: Iterable<File>) => void
  onRemove: (photo: string) => void
}) {
  const phone = usePhone()
  const chooser = (text: string, capture?: 'environment') => (
    <label className="button" aria-disabled={frozen}>
      {text}
      <input
        id={capture ? `${own}-camera` : `${own}-album`}
        className="sr-only"
        type="file"
        accept={KINDS}
        multiple={!capture}
        capture={capture}
        disabled={frozen}
        onChange={(e) => {
          onPhotos([...(e.target.files ?? [])].slice(0, most - photos.length))
          e.target.value = ''
        }}
      />
    </label>
  )
  return (
    <div className="draft-photos">
      {photos.map((photo) => (
        <Shot
          key={photo.id}
          photo={photo}
          caption={caption}
          frozen={frozen}
          onRemove={() => onRemove(photo.id)}
        />
      ))}
      {photos.length < most && (
        <>
          {phone && chooser('拍照', 'environment')}
          {chooser(phone ? '相册' : '选择照片')}
        </>
      )}
      {must && photos.length === 0 && <small className="must">必须拍照</small>}
    </div>
  )
}

function Shot({
  photo,
  caption,
  frozen,
  onRemove,
}: {
  photo: DraftPhoto
  caption: string
  frozen: boolean
  onRemove: () => void
}) {
  const [src, setSrc] = useState<string>()
  useEffect(() => {
    let made: string | undefined
    let gone = false
    void readPhoto(photo.id).then((bytes) => {
      if (!bytes || gone) return
      made = URL.createObjectURL(bytes)
      setSrc(made)
    })
    return () => {
      gone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [photo.id])
  return (
    <span className="draft-shot">
      {src && <img src={src} alt={caption} />}
      {photo.key === null && <small title={photo.why}>{photo.why ? '不能用' : '未上传'}</small>}
      <button type="button" aria-label="去掉照片" disabled={frozen} onClick={onRemove}>
        ×
      </button>
    </span>
  )
}
