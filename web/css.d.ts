/// <reference types="vite/types/importMeta.d.ts" />
declare module '*.css'
declare module '*?url' {
  const url: string
  export default url
}
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}
/** Its own declarations say that it is inside a default of a default; bundled it is not. */
declare module 'mpegts.js/dist/mpegts.js' {
  import type mpegts from 'mpegts.js'
  const player: typeof mpegts.default
  export default player
}
