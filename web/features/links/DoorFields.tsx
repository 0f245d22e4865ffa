import { useEffect, useMemo } from 'react'

import { message } from '../../kit/notices.ts'
import { shrink } from '../../kit/shrink.ts'

const LONGEST = 200

/** One picture, taken with the telephone. */
export function PhotoField({
  label,
  alt,
  photo,
  onTaken,
}: {
  label: string
  alt: string
  photo: Blob | null
  onTaken: (photo: Blob) => void
}) {
  const shown = useMemo(() => (photo ? URL.createObjectURL(photo) : ''), [photo])
  useEffect(() => () => URL.revokeObjectURL(shown), [shown])
  async function take(file: File | undefined) {
    if (!file) return
    const taken = await shrink(file)
    if (taken) onTaken(taken)
    else message.error('这张照片读不出来，请重拍一张')
  }
  return (
    <div className="driver-field">
      <span>{label}</span>
      {shown && <img className="driver-photo" src={shown} alt={alt} />}
      <label className="button driver-camera">
        {shown ? '重拍' : '拍照'}
        <input
          className="sr-only"
          type="file"
          accept="image/*"
          capture="environment"
          aria-label={`${label}文件`}
          onChange={(e) => {
            void take(e.target.files?.[0])
            e.target.value = ''
          }}
        />
      </label>
    </div>
  )
}

/** The reason, in words. */
export const WordsField = ({
  id,
  label,
  example,
  value,
  onChange,
}: {
  id: string
  label: string
  example: string
  value: string
  onChange: (said: string) => void
}) => (
  <div className="driver-field">
    <label htmlFor={id}>{label}</label>
    <textarea
      id={id}
      rows={2}
      maxLength={LONGEST}
      value={value}
      placeholder={`例如：${example}`}
      onChange={(e) => onChange(e.target.value)}
    />
  </div>
)
