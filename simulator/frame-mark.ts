/** One frame of one camera. */
export interface Mark {
  sn: string
  /** Unix second that it shows. */
  second: number
}
interface Picture {
  /** Four bytes a pixel: red, green, blue, opacity. */
  pixels: Uint8Array | Uint8ClampedArray
  width: number
  height: number
}

const SN_BYTES = 16
const BYTES = SN_BYTES + 4 + 2
const COLUMNS = 22
const ROWS = (BYTES * 8) / COLUMNS
/** Pixels of a cell: a block of H.264 does not blur it away. */
const CELL = 6
const MARGIN = 8
/** Above what players write along the lower edge. */
const LIFT = 48
const BRIGHT = 128

/** CRC-16/CCITT. */
function checksum(bytes: Uint8Array): number {
  let crc = 0xffff
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let i = 0; i < 8; i += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  }
  return crc
}

function bytesOf({ sn, second }: Mark): Uint8Array {
  const bytes = new Uint8Array(BYTES)
  const view = new DataView(bytes.buffer)
  const name = new TextEncoder().encode(sn)
  if (name.length > SN_BYTES) throw new Error(`${sn} is longer than ${SN_BYTES} bytes`)
  bytes.set(name)
  view.setUint32(SN_BYTES, second)
  view.setUint16(SN_BYTES + 4, checksum(bytes.subarray(0, SN_BYTES + 4)))
  return bytes
}

/** The first byte of a cell's upper left pixel; the block stands in the lower left corner. */
const placeOf = (cell: number, { width, height }: Picture): number => {
  const x = MARGIN + (cell % COLUMNS) * CELL
  const y = height - LIFT - ROWS * CELL + Math.floor(cell / COLUMNS) * CELL
  return (y * width + x) * 4
}

/** Draws camera and second into the picture as white and black cells, so that a story can tell which frame it sees. */
export function drawMark(picture: Picture, mark: Mark): void {
  const bytes = bytesOf(mark)
  const row = picture.width * 4
  for (let cell = 0; cell < BYTES * 8; cell += 1) {
    const isSet = (bytes[cell >> 3]! >> (7 - (cell & 7))) & 1
    const from = placeOf(cell, picture)
    for (let y = 0; y < CELL; y += 1)
      picture.pixels.fill(isSet ? 255 : 0, from + y * row, from + y * row + CELL * 4)
  }
}

/** What a picture says it shows; nothing where its checksum is another. */
export function readMark(picture: Picture): Mark | undefined {
  const bytes = new Uint8Array(BYTES)
  const row = picture.width * 4
  for (let cell = 0; cell < BYTES * 8; cell += 1) {
    const middle = placeOf(cell, picture) + (CELL / 2) * row + (CELL / 2) * 4
    if (picture.pixels[middle + 1]! >= BRIGHT) bytes[cell >> 3]! |= 1 << (7 - (cell & 7))
  }
  const view = new DataView(bytes.buffer)
  if (view.getUint16(SN_BYTES + 4) !== checksum(bytes.subarray(0, SN_BYTES + 4))) return undefined
  const name = bytes.subarray(0, SN_BYTES)
  const end = name.indexOf(0)
  return {
    sn: new TextDecoder().decode(end < 0 ? name : name.subarray(0, end)),
    second: view.getUint32(SN_BYTES),
  }
}
