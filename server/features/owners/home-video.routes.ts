import { consentHow } from '@zhuguan/contract/features/consents/consents.record.ts'
import { byOneHand } from '@zhuguan/contract/features/owners/home-devices.record.ts'
import { homeVideoApi } from '@zhuguan/contract/features/owners/home-video.api.ts'

import { allowance } from '../../kit/bound.ts'
import { type Feature, serve } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { once } from '../links/links.service.ts'
import type { LiveStage } from '../streams/live-stage.service.ts'
import { answerVideo, withdrawVideo } from './grants.service.ts'
import type { Bound, HomeDoor } from './home-door.ts'
import { lookKey } from './home-looker.ts'
import { keepLook, leaveLooks, openLook, videoState } from './looks.service.ts'

const ANSWERS = 30
const LOOKS = 120
const AN_HOUR = 3_600_000
const keyOf = ({ device, link }: Bound) => lookKey({ device: device.id, link: link.id, tenant: link.tenant })

/** What the people of a home see of it by their link, and who looked into it. */
export function homeVideoFeature({ home, stage }: { home: HomeDoor; stage: LiveStage }): Feature {
  const answers = allowance(ANSWERS, AN_HOUR, `一小时内最多答复 ${ANSWERS} 次，请稍后再试`)
  const looks = allowance(LOOKS, AN_HOUR, `一小时内最多打开 ${LOOKS} 次画面，请稍后再看`)
  return serve(homeVideoApi, {
    async state({ body }, call) {
      const e = await home.enter(call, body)
      return e.own.read((tx) => videoState(tx, e))
    },
    async answer({ body }, call) {
      const e = await home.enter(call, body)
      const { contact, device, link, own } = e
      const said = {
        answer: body.answer,
        how: consentHow.code.electronic,
        answeredOn: shanghaiDay(call.now()),
        proof: null,
        typedBy: byOneHand(device.onlyHand),
      }
      await own.write((tx) =>
        once(tx, link, { act: body.act, target: contact.id }, async () => {
          answers.spend(contact.id, call.now())
          await answerVideo(tx, own, contact.id, said, body.wording)
          return ''
        }),
      )
      return null
    },
    async withdraw({ body }, call) {
      const { contact, link, own } = await home.enter(call, body)
      await own.write((tx) =>
        once(tx, link, { act: body.act, target: contact.id }, async () => {
          await withdrawVideo(tx, own, contact.id, '本人在手机上撤回')
          return ''
        }),
      )
      return null
    },
    async look({ body }, call) {
      const e = await home.enter(call, body)
      looks.spend(e.contact.id, call.now())
      const opened = await e.own.write((tx) => openLook(tx, e, body.device_id, stage.video?.kind ?? null))
      stage.showCookie(call, keyOf(e))
      return { ...opened, address: stage.addressOf(keyOf(e), opened.view, opened.kind) }
    },
    async keep({ body }, call) {
      const e = await home.enter(call, body)
      const kept = await e.own.write((tx) => keepLook(tx, e, body.views))
      stage.showCookie(call, keyOf(e))
      return kept
    },
    async offer({ body: { sdp, view, ...bearer } }, call) {
      const e = await home.enter(call, bearer)
      return stage.offer({ session: keyOf(e), view, sdp, mustEnd: true })
    },
    async leave({ body }, call) {
      const e = await home.enter(call, body)
      for (const view of await e.own.write((tx) => leaveLooks(tx, e, body.views))) stage.end(view)
      return null
    },
  })
}
