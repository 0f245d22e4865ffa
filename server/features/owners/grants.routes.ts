import { grantsApi } from '@zhuguan/contract/features/owners/grants.api.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { answersOf } from '../consents/consents.reads.ts'
import { siteInReach } from '../sites/sites.reads.ts'
import {
  answerVideo,
  grantVideo,
  homeVideoOf,
  moveGrant,
  videoAsked,
  withdrawVideo,
} from './grants.service.ts'
import { siteOfContact } from './owners.queries.ts'

export const grantsFeature = serve(grantsApi, {
  home: ({ query }, call) =>
    call.read(async (tx) => {
      found(await siteInReach(tx, call.user.scope, query.site_id))
      return homeVideoOf(tx, call, query.site_id)
    }),
  answers: ({ query: { contact_id } }, call) =>
    call.read(async (tx) => {
      found(await siteOfContact(tx, call.user.scope, contact_id))
      const proofs = call.user.permissions.includes('owner:video')
      return answersOf(tx, call.user.tenant, videoAsked(contact_id), proofs)
    }),
  async answer({ body: { contact_id, ...said } }, call) {
    await call.write((tx) => answerVideo(tx, call, contact_id, said))
    return null
  },
  async withdraw({ body }, call) {
    await call.write((tx) => withdrawVideo(tx, call, body.contact_id, body.reason))
    return null
  },
  grant: ({ body }, call) => call.write((tx) => grantVideo(tx, call, body)),
  async stop({ body }, call) {
    await call.write((tx) => moveGrant(tx, call, 'stop', body))
    return null
  },
  async resume({ body }, call) {
    await call.write((tx) => moveGrant(tx, call, 'resume', body))
    return null
  },
})
