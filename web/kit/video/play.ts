/** A live picture that is being played; `close` gives everything back. */
export interface Playing {
  close: () => void
  /** Seconds behind the camera, where the player knows. */
  behind: () => number | null
}
type OnEnd = (why: string) => void

const GATHER_MS = 1_000
const LATENCY_MS = 2_000
const BROKEN = '直播中断了'
const UNKNOWN = '这路画面的编码浏览器不认识'
const UNREACHED = '连接不上服务器'

/** WebRTC: `offer` takes the browser's description to the gateway and answers with the gateway's. */
export async function playWhep(
  video: HTMLVideoElement,
  offer: (sdp: string) => Promise<string>,
  onEnd: OnEnd,
): Promise<Playing> {
  const peer = new RTCPeerConnection()
  peer.addTransceiver('video', { direction: 'recvonly' })
  peer.addTransceiver('audio', { direction: 'recvonly' })
  const stream = new MediaStream()
  peer.ontrack = (e) => {
    stream.addTrack(e.track)
    video.srcObject = stream
    void video.play().catch(() => {})
  }
  peer.onconnectionstatechange = () =>
    (peer.connectionState === 'failed' || peer.connectionState === 'disconnected') && onEnd(BROKEN)
  let seconds: number | null = null
  const latency = setInterval(() => void latencyOf(peer).then((s) => (seconds = s)), LATENCY_MS)
  const close = () => {
    clearInterval(latency)
    peer.onconnectionstatechange = null
    peer.close()
    video.srcObject = null
  }
  try {
    await peer.setLocalDescription(await peer.createOffer())
    // The whole offer goes at once: wait for the addresses, but not for ever.
    await new Promise<void>((done) => {
      const wait = setTimeout(done, GATHER_MS)
      peer.onicegatheringstatechange = () =>
        peer.iceGatheringState === 'complete' && (clearTimeout(wait), done())
    })
    const sdp = await offer(peer.localDescription!.sdp)
    await peer.setRemoteDescription({ type: 'answer', sdp })
  } catch (error) {
    close()
    throw error
  }
  return { close, behind: () => seconds }
}

interface Received {
  type: string
  kind?: string
  jitterBufferDelay?: number
  jitterBufferEmittedCount?: number
  currentRoundTripTime?: number
  state?: string
}
/** The time that a frame waits here, and half the way to the gateway and back. */
async function latencyOf(peer: RTCPeerConnection): Promise<number | null> {
  const stats = await peer.getStats().catch(() => undefined)
  if (!stats) return null
  let waits: number | null = null
  let way = 0
  stats.forEach((one: Received) => {
    if (one.type === 'inbound-rtp' && one.kind === 'video' && one.jitterBufferEmittedCount)
      waits = (one.jitterBufferDelay ?? 0) / one.jitterBufferEmittedCount
    if (one.type === 'candidate-pair' && one.state === 'succeeded') way = (one.currentRoundTripTime ?? 0) / 2
  })
  return waits === null ? null : waits + way
}

/** Our own server's words about a refusal, in its envelope. */
function sentenceOf(text: string | undefined): string | undefined {
  try {
    const { msg } = JSON.parse(text ?? '') as { msg?: unknown }
    return typeof msg === 'string' && msg ? msg : undefined
  } catch {
    return undefined
  }
}

/** HLS: by the browser itself where hls.js cannot, which is fetched only then. */
export async function playHls(video: HTMLVideoElement, url: string, onEnd: OnEnd): Promise<Playing> {
  const { default: Hls } = await import('hls.js/light')
  if (!Hls.isSupported()) return playNative(video, url, onEnd)
  const player = new Hls({
    liveSyncDurationCount: 2,
    maxBufferLength: 20,
    backBufferLength: 10,
    manifestLoadPolicy: {
      default: { maxTimeToFirstByteMs: 8_000, maxLoadTimeMs: 12_000, timeoutRetry: null, errorRetry: null },
    },
  })
  player.on(Hls.Events.ERROR, (_event, data) => {
    if (!data.fatal) return
    const request = data.networkDetails as XMLHttpRequest | undefined
    const said =
      request && /^(text)?$/.test(request.responseType) ? sentenceOf(request.responseText) : undefined
    if (said) onEnd(said)
    else onEnd(data.type === Hls.ErrorTypes.NETWORK_ERROR ? UNREACHED : UNKNOWN)
  })
  player.loadSource(url)
  player.attachMedia(video)
  void video.play().catch(() => {})
  return { close: () => player.destroy(), behind: () => (player.latency > 0 ? player.latency : null) }
}

function playNative(video: HTMLVideoElement, url: string, onEnd: OnEnd): Playing {
  video.onerror = () => onEnd(BROKEN)
  video.src = url
  void video.play().catch(() => {})
  return {
    close: () => {
      video.onerror = null
      video.removeAttribute('src')
      video.load()
    },
    behind: () => null,
  }
}

/** FLV over HTTP, by mpegts.js, which is fetched only then. */
export async function playFlv(video: HTMLVideoElement, url: string, onEnd: OnEnd): Promise<Playing> {
  const { default: mpegts } = await import('mpegts.js/dist/mpegts.js')
  if (!mpegts.isSupported()) throw new Error('这个浏览器不能播放这种直播')
  mpegts.LoggingControl.applyConfig({ enableAll: false })
  const player = mpegts.createPlayer(
    { type: 'flv', isLive: true, url },
    {
      enableStashBuffer: false,
      liveBufferLatencyChasing: true,
      autoCleanupSourceBuffer: true,
    },
  )
  player.on(mpegts.Events.ERROR, (type: string, _detail: string, info?: { code?: number; msg?: string }) => {
    if (type !== mpegts.ErrorTypes.NETWORK_ERROR) return onEnd(UNKNOWN)
    if (info?.code === 404) return onEnd('视频网关上没有这台摄像头的画面')
    return onEnd(info?.code === 502 ? '视频网关没有给出画面' : BROKEN)
  })
  player.on(mpegts.Events.LOADING_COMPLETE, () => onEnd(BROKEN))
  player.attachMediaElement(video)
  player.load()
  void Promise.resolve(player.play()).catch(() => {})
  return {
    close: () => player.destroy(),
    behind: () =>
      video.buffered.length
        ? Math.max(0, video.buffered.end(video.buffered.length - 1) - video.currentTime)
        : null,
  }
}
