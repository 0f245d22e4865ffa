/// <reference types="vite/types/importMeta.d.ts" />
declare module '*.css'
declare module '*?url' {
  const url: string
  export default url
}
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}
