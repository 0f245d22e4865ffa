import { Refused } from '../../kit/refuse.ts'
import type { Admissions } from './admission.ts'
import { checkStatus, type Source } from './gateway.ts'

const ANSWER_BYTES = 65_536

interface Called {
  sdp: string
  /** Where the gateway ends it; some have no such place. */
  place: string | undefined
}
/** The gateway's answer to a browser's offer: as WHEP has it, or in JSON as some gateways do. */
async function callGateway({ ask, start, resolve }: Source, sdp: string): Promise<Called> {
  const { response, whole, end } = await ask(start, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp' },
    body: sdp,
  })
  try {
    checkStatus(response.status)
    const text = (await whole(ANSWER_BYTES)).toString()
    const isJson = response.headers.get('content-type')?.includes('json')
    const answer = isJson ? sdpIn(text) : text
    if (!answer.startsWith('v=0')) throw new Refused('视频网关给出的不是直播画面', 502, 502)
    const location = response.headers.get('location')
    return { sdp: answer, place: location ? resolve(location, start) : undefined }
  } finally {
    end()
  }
}
function sdpIn(text: string): string {
  try {
    const { sdp } = JSON.parse(text) as { sdp?: unknown }
    return typeof sdp === 'string' ? sdp : ''
  } catch {
    return ''
  }
}

interface Caller {
  view: string
  session: Buffer
  source: Source
  sdp: string
  /** What cannot be ended is not begun: without its answer the browser never gets a picture. */
  mustEnd: boolean
  /** Gives back what was taken for the call. */
  leave: () => void
}
/**
 * WebRTC calls that this server has arranged. Their picture does not come through here, so each is ended at the gateway
 * when its view is over.
 */
export function gatewayCalls(views: Admissions) {
  const running = new Map<string, () => void>()
  const end = (view: string) => running.get(view)?.()
  return {
    end,
    async begin({ view, session, source, sdp, mustEnd, leave }: Caller): Promise<string> {
      try {
        const called = await callGateway(source, sdp)
        if (mustEnd && called.place === undefined)
          throw new Refused('这里的视频网关不能按时断开画面，只能看最近一次抓拍', 409, 409)
        end(view)
        const unwatch = views.watch(session, view, () => end(view))
        running.set(view, () => {
          running.delete(view)
          unwatch()
          leave()
          if (called.place !== undefined) void hangUp(source, called.place)
        })
        return called.sdp
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}
const hangUp = (source: Source, place: string): Promise<void> =>
  source.ask(place, { method: 'DELETE' }).then(
    (answered) => answered.end(),
    () => {},
  )
