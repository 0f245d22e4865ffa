import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { caseColumns } from '@zhuguan/contract/features/cases/cases.columns.ts'
import { caseState } from '@zhuguan/contract/features/cases/cases.record.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import { allowance } from '../../kit/bound.ts'
import { reachOf } from '../../kit/reach.ts'
import { found, outside } from '../../kit/refuse.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { inMemory, sendRange } from '../../kit/send-range.ts'
import { type Call, type Feature, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { type FileStore, smaller } from '../files/files.service.ts'
import { contentOf } from './case-content.queries.ts'
import { fixZones, maskPicture, pullPicture, releasePicture } from './case-pictures.service.ts'
import { caseOf, casePage, standingOf } from './cases.queries.ts'
import { addCase, askHome, editCase, publishCase, reviseCase, takeDown } from './cases.service.ts'
import { answerForHome, withdrawForHome } from './consenting.service.ts'
import { shownInStore, storePicture } from './field.service.ts'
import { answersAt, contactsOf, ledgerOf } from './home-cases.reads.ts'
import { homeToShow, possibleOf, sitesToShow } from './homes.queries.ts'
import { isInReach, picturesOf } from './pictures.queries.ts'

const AN_HOUR = 3_600_000
const MASKS = 600

/** A case in reach; what would be public of it is read as whoever it is shown to would. */
async function detailsOf(call: Call, id: string) {
  const { scope, tenant } = call.user
  const own = await call.read(async (tx) => {
    const k = found(await caseOf(tx, scope, id))
    return {
      ...k,
      pictures: await picturesOf(tx, tenant, id),
      contacts: await contactsOf(tx, tenant, k.site_id),
      answers: await answersAt(tx, tenant, k.site_id, true),
      log: await ledgerOf(tx, tenant, id),
    }
  })
  const reading = own.state === caseState.code.candidate ? 'now' : 'asked'
  const [preview] = await call.within(wholeGroup(tenant)).read((tx) => contentOf(tx, tenant, [id], reading))
  return { ...own, preview: preview! }
}

export function casesFeature(files: FileStore): Feature {
  const masks = allowance(MASKS, AN_HOUR, `一小时内最多打码 ${MASKS} 张照片，请稍后再试`)
  return serve(casesApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, casePage(call.user.scope, query))),
    details: ({ query }, call) => detailsOf(call, query.id),
    proposals: (_input, call) =>
      call.read(async (tx) => ({
        ...(await standingOf(tx, call.user.scope)),
        sites: await sitesToShow(tx, call.user.scope),
      })),
    possible: ({ query }, call) =>
      call.read(async (tx) => {
        found(await homeToShow(tx, call.user.scope, query.site_id))
        const all = await possibleOf(tx, call.user.tenant, query.site_id)
        return all.map(({ at, camera, day, key, stage }) => ({ at, camera, day, key, stage }))
      }),
    add: ({ body }, call) => call.write((tx) => addCase(tx, call, body)),
    edit: ({ body }, call) => call.write((tx) => editCase(tx, call, files, body)),
    ask: ({ body }, call) => call.write((tx) => askHome(tx, call, body)),
    answer: ({ body }, call) => call.write((tx) => answerForHome(tx, call, body)),
    revise: ({ body }, call) => call.write((tx) => reviseCase(tx, call, body)),
    withdraw: ({ body }, call) => call.write((tx) => withdrawForHome(tx, call, body)),
    publish: ({ body }, call) => call.write((tx) => publishCase(tx, call, body)),
    takeDown: ({ body }, call) => call.write((tx) => takeDown(tx, call, body)),
    async mask({ body }, call) {
      masks.spend(call.user.id, call.now())
      await maskPicture(call, files, body)
      return null
    },
    zones: ({ body }, call) => call.write((tx) => fixZones(tx, call, files, body)),
    release: ({ body }, call) => call.write((tx) => releasePicture(tx, call, body)),
    pull: ({ body }, call) => call.write((tx) => pullPicture(tx, call, files, body)),
    async picture({ query: { key, size } }, call) {
      const own = reachOf(call.user, pageLabel('CaseList'))
      const mine = own && (await call.read((tx) => isInReach(tx, own, key)))
      if (!mine && !(await storePicture(call, key))) throw outside()
      const bytes = size === 'full' ? await files.read(key) : await smaller(files, key, size)
      call.reply
        .header('content-type', size === 'full' ? 'image/jpeg' : 'image/webp')
        .header('vary', 'cookie, token, tenant-id')
        // What is taken back is gone with the next look.
        .header('cache-control', 'no-store')
        .header('cross-origin-resource-policy', 'same-origin')
        .header('accept-ranges', 'bytes')
      sendRange(call, inMemory(bytes))
    },
    field: (_input, call) => shownInStore(call),
    export: ({ query }, call) => sendList(call, '案例管理', caseColumns, casePage(call.user.scope, query)),
  })
}
