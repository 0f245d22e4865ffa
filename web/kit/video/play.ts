/** A live picture that is being played; `close` gives everything back. */
export interface Playing {
  close: () => void
  /** Seconds behind the camera, where the player knows. */
  behind: () => number | null
}
const GATHER_MS = 1_000

/** WebRTC by the gateway's WHEP address. */
export async function playWhep(
  video: HTMLVideoElement,
  url: string,
  onEnd: (why: string) => void,
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
    (peer.connectionState === 'failed' || peer.connectionState === 'disconnected') && onEnd('直播中断了')
  let session: string | null = null
  const close = () => {
    peer.close()
    video.srcObject = null
    if (session) void fetch(session, { method: 'DELETE' }).catch(() => {})
  }
  try {
    await peer.setLocalDescription(await peer.createOffer())
    // The whole offer goes at once: wait for the addresses, but not for ever.
    await new Promise<void>((done) => {
      const wait = setTimeout(done, GATHER_MS)
      peer.onicegatheringstatechange = () =>
        peer.iceGatheringState === 'complete' && (clearTimeout(wait), done())
    })
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp' },
      body: peer.localDescription!.sdp,
    })
    if (!answer.ok)
      throw new Error(
        answer.status === 404 ? '视频网关上没有这台设备的画面' : `视频网关没有接受（${answer.status}）`,
      )
    const place = answer.headers.get('location')
    session = place ? new URL(place, url).href : null
    await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() })
  } catch (error) {
    close()
    throw error instanceof TypeError ? new Error('视频网关连接不上') : error
  }
  return { close, behind: () => null }
}

/** HLS: by the browser itself where it can, else by hls.js, which is fetched only then. */
export async function playHls(
  video: HTMLVideoElement,
  url: string,
  onEnd: (why: string) => void,
): Promise<Playing> {
  const native = () =>
    new Promise<boolean>((done) => {
      video.onloadedmetadata = () => done(true)
      video.onerror = () => done(false)
      video.src = url
    })
  if (video.canPlayType('application/vnd.apple.mpegurl') && (await native())) {
    video.onerror = () => onEnd('直播中断了')
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
  video.onerror = null
  const { default: Hls } = await import('hls.js/light')
  if (!Hls.isSupported()) throw new Error('这个浏览器不能播放直播')
  const player = new Hls({
    liveSyncDurationCount: 2,
    manifestLoadPolicy: {
      default: { maxTimeToFirstByteMs: 5_000, maxLoadTimeMs: 8_000, timeoutRetry: null, errorRetry: null },
    },
  })
  player.on(Hls.Events.ERROR, (_event, data) => {
    if (!data.fatal) return
    if (data.response?.code === 404) onEnd('视频网关上没有这台设备的画面')
    else if (data.type === Hls.ErrorTypes.NETWORK_ERROR) onEnd('视频网关连接不上')
    else onEnd('这路画面的编码浏览器不认识')
  })
  player.loadSource(url)
  player.attachMedia(video)
  void video.play().catch(() => {})
  return { close: () => player.destroy(), behind: () => (player.latency > 0 ? player.latency : null) }
}
