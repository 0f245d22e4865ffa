import { type PointerEvent, useEffect, useRef } from 'react'

import './signature.css'

const PEN = 2.5
const INK = '#1f2937'
const PAPER = '#ffffff'

/** A field to sign in with a finger; answers a picture after every stroke, and nothing once it is wiped. */
export function SignaturePad({
  label,
  kept,
  onSigned,
}: {
  label: string
  /** The signature of before. */
  kept: Blob | null
  onSigned: (picture: Blob | null) => void
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawing = useRef(false)
  const paper = () => canvas.current?.getContext('2d') ?? null
  function blank() {
    const [el, pen] = [canvas.current, paper()]
    if (!el || !pen) return
    pen.fillStyle = PAPER
    pen.fillRect(0, 0, el.width, el.height)
  }
  useEffect(() => {
    const el = canvas.current!
    const { height, width } = el.getBoundingClientRect()
    el.width = Math.round(width * devicePixelRatio)
    el.height = Math.round(height * devicePixelRatio)
    blank()
    if (kept)
      void createImageBitmap(kept)
        .then((picture) => paper()?.drawImage(picture, 0, 0, el.width, el.height))
        .catch(() => {})
    // Only what was there when it was opened is drawn again.
  }, [])
  function to(e: PointerEvent<HTMLCanvasElement>) {
    const [el, pen] = [canvas.current!, paper()!]
    const box = el.getBoundingClientRect()
    pen.lineWidth = PEN * devicePixelRatio
    pen.lineCap = 'round'
    pen.lineJoin = 'round'
    pen.strokeStyle = INK
    return { pen, x: (e.clientX - box.left) * devicePixelRatio, y: (e.clientY - box.top) * devicePixelRatio }
  }
  function begin(e: PointerEvent<HTMLCanvasElement>) {
    drawing.current = true
    e.currentTarget.setPointerCapture(e.pointerId)
    const { pen, x, y } = to(e)
    pen.beginPath()
    pen.moveTo(x, y)
  }
  function draw(e: PointerEvent<HTMLCanvasElement>) {
    if (!drawing.current) return
    const { pen, x, y } = to(e)
    pen.lineTo(x, y)
    pen.stroke()
  }
  function end() {
    if (!drawing.current) return
    drawing.current = false
    canvas.current?.toBlob((picture) => picture && onSigned(picture), 'image/jpeg', 0.8)
  }
  return (
    <div className="signature">
      <canvas
        ref={canvas}
        aria-label={label}
        role="img"
        onPointerDown={begin}
        onPointerMove={draw}
        onPointerUp={end}
        onPointerCancel={end}
      />
      <button
        type="button"
        className="text-button"
        onClick={() => {
          blank()
          onSigned(null)
        }}
      >
        擦掉重签
      </button>
    </div>
  )
}
