import type { CDPSession, Page } from 'playwright-core'

interface Sent {
  path: string
  /** When it was asked for, in milliseconds since 1970. */
  at: number
  bytes: number
}
export interface Traffic {
  requests: Sent[]
  bytes: () => number
}
/** What goes over the wire from now on, heads included; bodies still open (the live stream) count what has come. */
export async function countTraffic(page: Page, session?: CDPSession): Promise<Traffic> {
  const cdp = session ?? (await page.context().newCDPSession(page))
  const seen = new Map<string, Sent>()
  await cdp.send('Network.enable')
  cdp.on(
    'Network.requestWillBeSent',
    ({ requestId, request, wallTime }) =>
      request.url.startsWith('http') &&
      seen.set(requestId, { path: new URL(request.url).pathname, at: wallTime * 1_000, bytes: 0 }),
  )
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    const r = seen.get(requestId)
    if (r) r.bytes = response.encodedDataLength
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const r = seen.get(requestId)
    if (r) r.bytes = encodedDataLength
  })
  return {
    get requests() {
      return [...seen.values()]
    },
    bytes: () => [...seen.values()].reduce((n, r) => n + r.bytes, 0),
  }
}

export interface Counted {
  heap: number
  nodes: number
  listeners: number
}
/** Heap, nodes and listeners of a page after everything that can be freed was freed. */
export async function countPage(session: CDPSession): Promise<Counted> {
  for (let i = 0; i < 3; i += 1) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((m) => m.name === name)!.value
  return { heap: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') }
}

/** When the page first painted something, in milliseconds since 1970. */
export const firstPaint = async (page: Page): Promise<number> => {
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  return page.evaluate(
    () => performance.timeOrigin + performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
  )
}
