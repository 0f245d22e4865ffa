import sharp from 'sharp'

const WIDTH = 960
const HEIGHT = 540

/** A person on a building site: helmet and vest tell who wears work clothes, a red dot who smokes. */
function worker(
  x: number,
  y: number,
  s: number,
  o: { vest: boolean; smoking: boolean; skin: string },
): string {
  return `<g transform="translate(${x} ${y}) scale(${s})"><rect x="-16" y="62" width="13" height="58" fill="#34435a"/><rect x="3" y="62" width="13" height="58" fill="#2c394d"/>
  <rect x="-24" y="-2" width="48" height="68" rx="12" fill="${o.vest ? '#ff8a1f' : '#8d99a8'}"/>${o.vest ? '<rect x="-24" y="16" width="48" height="7" fill="#ffe9a8"/><rect x="-24" y="40" width="48" height="7" fill="#ffe9a8"/>' : ''}
  <rect x="-36" y="2" width="13" height="50" rx="6" fill="${o.vest ? '#e67610' : '#7d8998'}"/><path d="M24 6 L42 ${o.smoking ? -14 : 40} l9 4 L34 52 Z" fill="${o.vest ? '#e67610' : '#7d8998'}"/>
  <circle cy="-22" r="19" fill="${o.skin}"/><path d="M-22 -26 a22 20 0 0 1 44 0 Z" fill="${o.vest ? '#ffd23f' : '#4a3b30'}"/>${o.smoking ? '<rect x="16" y="-20" width="24" height="4" fill="#f4f4f0"/><circle cx="41" cy="-18" r="4" fill="#ff3b30"/><path d="M44 -24 q10 -14 2 -26 q-8 -12 4 -24" stroke="#dfe5ea" stroke-width="4" fill="none" opacity=".7"/>' : ''}</g>`
}

export interface Shot {
  type: 'working' | 'smoking' | 'noclothes' | 'cameraproblem' | 'tidiness' | 'clockin' | 'visitor'
  variant: number
  camera: string
  time: string
  /** Where the worker stands, from the left; one of a few places otherwise. */
  at?: number
}

/** Somebody in front of a terminal: the face fills the frame. */
function close(skin: string, wall: string, variant: number): string {
  const hair = ['#1d1a18', '#2c2420', '#3b322c'][variant % 3]!
  const vest = ['#ff8a1f', '#2f6fb3', '#4a5568'][variant % 3]!
  const cap = variant % 2 ? '#ffd23f' : '#e8452c'
  const wide = 92 + (variant % 5) * 5
  const eyes = 262 + (variant % 4) * 5
  return `<rect width="100%" height="100%" fill="${wall}"/>
  <rect x="640" y="60" width="220" height="420" fill="#b9b2a4"/>
  <path d="M250 540 q10 -130 230 -140 q220 10 230 140 z" fill="${vest}"/>
  <rect x="436" y="350" width="88" height="80" rx="34" fill="${skin}"/>
  <ellipse cx="480" cy="270" rx="${wide}" ry="126" fill="${skin}"/>
  <path d="M${476 - wide} 226 a${wide + 4} 112 0 0 1 ${2 * wide + 8} 0 l16 14 h-${2 * wide + 40} z" fill="${cap}"/>
  <path d="M424 ${eyes - 18} h38 M498 ${eyes - 18} h38" stroke="${hair}" stroke-width="8" stroke-linecap="round"/>
  <circle cx="443" cy="${eyes}" r="8" fill="#26211e"/><circle cx="517" cy="${eyes}" r="8" fill="#26211e"/>
  <path d="M480 ${eyes + 14} v32 h14" fill="none" stroke="#00000030" stroke-width="5"/>
  <path d="M448 344 q32 ${10 + (variant % 12)} 64 0" fill="none" stroke="#9c5a4a" stroke-width="7"/>`
}
const framed = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${inside}</svg>`
const words = (x: number, anchor: string, text: string) =>
  `<text x="${x}" y="24" font-size="18" fill="#fff" font-family="monospace" text-anchor="${anchor}">${text}</text>`

/** A frame as the site's camera or terminal would send it, as SVG. */
function sceneOf({ type, variant, camera, time, at }: Shot): Buffer {
  const wall = ['#d9d3c7', '#cfd4d8', '#d6cfc4', '#c9d1cd'][variant % 4]!
  const isDressed = type !== 'noclothes' && type !== 'visitor'
  const skin = ['#e8b98f', '#d9a273', '#c98f62'][variant % 3]!
  const tilt = type === 'cameraproblem' ? -19 + (variant % 3) * 4 : 0
  const x = at ?? 300 + (variant % 5) * 90
  const mess = Array.from(
    { length: type === 'tidiness' ? 3 + (variant % 6) * 4 : 5 },
    (_, i) =>
      `<rect x="${(i * 137 + variant * 61) % 900}" y="${440 + ((i * 53) % 70)}" width="${30 + ((i * 17) % 50)}" height="${8 + (i % 4) * 5}" fill="${['#b08d5b', '#9aa0a6', '#7a6a55'][i % 3]}" transform="rotate(${(i * 31) % 40} ${(i * 137) % 900} 460)"/>`,
  ).join('')
  const label = `<rect x="0" y="0" width="960" height="34" fill="#000" opacity=".45"/>
  ${words(14, 'start', camera)}${words(946, 'end', time)}`
  const svg =
    type === 'clockin'
      ? framed(close(skin, wall, variant) + label)
      : framed(`<rect width="100%" height="100%" fill="#20262e"/><g transform="rotate(${tilt} 480 270) ${tilt ? 'translate(120 -160)' : ''}">
  <polygon points="0,0 960,0 800,90 160,90" fill="#eceae6"/><polygon points="0,0 160,90 160,380 0,540" fill="${wall}"/><polygon points="960,0 800,90 800,380 960,540" fill="${wall}" opacity=".88"/><rect x="160" y="90" width="640" height="290" fill="${wall}" opacity=".95"/>
  <polygon points="0,540 160,380 800,380 960,540" fill="#a79d8d"/>${Array.from({ length: 8 }, (_, i) => `<line x1="${160 + i * 90}" y1="380" x2="${i * 137}" y2="540" stroke="#978d7d"/>`).join('')}
  <rect x="${470 + (variant % 3) * 40}" y="140" width="150" height="150" fill="#bfe0f5" stroke="#7f8b94" stroke-width="7"/><line x1="${545 + (variant % 3) * 40}" y1="140" x2="${545 + (variant % 3) * 40}" y2="290" stroke="#7f8b94" stroke-width="5"/>
  <path d="M210 380 L260 150 M300 380 L250 150 M222 330 H288 M232 280 H280 M242 230 H270" stroke="#c7a23c" stroke-width="9" fill="none"/><rect x="640" y="330" width="120" height="60" fill="#c9965b"/><rect x="655" y="300" width="95" height="32" fill="#b5803f"/>${mess}
  ${type === 'tidiness' || type === 'cameraproblem' ? '' : worker(x, 300, 1.35, { vest: isDressed, smoking: type === 'smoking', skin })}${type === 'noclothes' ? worker(x + 210, 290, 1.15, { vest: true, smoking: false, skin }) : ''}</g>
  ${label}
  ${type === 'smoking' || type === 'noclothes' ? `<rect x="${x - 62}" y="232" width="130" height="240" fill="none" stroke="#ff3b30" stroke-width="4"/>` : ''}`)
  return Buffer.from(svg)
}

/** JPEG bytes. */
export const draw = (shot: Shot): Promise<Buffer> => sharp(sceneOf(shot)).jpeg({ quality: 72 }).toBuffer()

const DENSITY = 72
/** Red, green, blue and opacity of each pixel, of a picture as wide as this. */
export const pixelsOf = (shot: Shot, width: number): Promise<Buffer> =>
  sharp(sceneOf(shot), { density: (DENSITY * width) / WIDTH })
    .ensureAlpha()
    .raw()
    .toBuffer()
