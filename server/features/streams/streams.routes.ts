import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'

import { reachOf } from '../../kit/reach.ts'
import { type Feature, serve } from '../../kit/serve.ts'
import { endViews } from '../video/video-views.service.ts'
import type { LiveStage } from './live-stage.service.ts'
import { keepLive, lookingNow, openLive } from './streams.service.ts'

export function streamsFeature(stage: LiveStage): Feature {
  return serve(streamsApi, {
    async open({ body }, call) {
      const { tokenHash } = call.user
      stage.showCookie(call, tokenHash)
      const opened = await call.write((tx) => openLive(tx, call, body, stage.video))
      return { ...opened, address: stage.addressOf(tokenHash, opened.view, opened.kind) }
    },
    looking: ({ body }, call) => call.read((tx) => lookingNow(tx, call, body.devices)),
    async keep({ body }, call) {
      stage.showCookie(call, call.user.tokenHash)
      const scope = reachOf(call.user, 'device:live')
      if (!scope) return { ended: body.views, stills: [] }
      const reaching = call.within(scope)
      return reaching.write((tx) => keepLive(tx, reaching, body.views))
    },
    async close({ body }, call) {
      const { tenant, id } = call.user
      for (const view of await call.write((tx) => endViews(tx, tenant, id, body.views))) stage.end(view)
    },
    offer: ({ body }, call) => stage.offer({ ...body, session: call.user.tokenHash, mustEnd: false }),
    play: ({ query }, call) => stage.play(query.key, call),
  })
}
