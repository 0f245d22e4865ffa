import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { siteColumns } from '@zhuguan/contract/features/sites/sites.columns.ts'
import { stagesApi } from '@zhuguan/contract/features/sites/stages.api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { Json, pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { lookingAt } from '../looking/looking.reads.ts'
import { liveIn } from './lived-in.service.ts'
import type { Life } from './site-life.service.ts'
import { readOwnerPhone } from './site-owner.service.ts'
import { pickSites, pickStores, siteDetailJson, sitePage, sitePointsJson } from './sites.queries.ts'
import { siteInReach } from './sites.reads.ts'
import { addSite, changePeople, changeSite, editSite, placeSite } from './sites.service.ts'
import { changeStage, planStages } from './stages.service.ts'

export const sitesFeature = ({ life }: { life: Life }) =>
  serve(sitesApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, sitePage(call.user.scope, query))),
    details: ({ query }, call) =>
      call.read(async (tx) => {
        const phones = hasPermission(call.user, 'worker:phone')
        const { scope, tenant } = call.user
        const { why: noLook } = await lookingAt(
          tx,
          tenant,
          found(await siteInReach(tx, scope, query.id)),
          call.now(),
        )
        const today = shanghaiDay(call.now())
        return new Json(found(await siteDetailJson(tx, scope, query.id, today, { phones, noLook })))
      }),
    pick: ({ query }, call) => call.read((tx) => pickSites(tx, call.user.scope, query)),
    add: ({ body }, call) => call.write((tx) => addSite(tx, call, body)),
    edit: ({ body }, call) => call.write((tx) => editSite(tx, call, body, life)),
    state: ({ body }, call) => call.write((tx) => changeSite(tx, call, body, life)),
    foresee: ({ query }, call) => call.write((tx) => life.foresee(tx, call, query)),
    move: ({ body }, call) => call.write((tx) => life.move(tx, call, body)),
    people: ({ body }, call) => call.write((tx) => changePeople(tx, call, body, life)),
    livedIn: ({ body }, call) => call.write((tx) => liveIn(tx, call, body)),
    stores: ({ query }, call) => call.read((tx) => pickStores(tx, call.user.scope, query)),
    phone: ({ body }, call) => call.write((tx) => readOwnerPhone(tx, call, body)),
    points: ({ query }, call) =>
      call.read(async (tx) => new Json(await sitePointsJson(tx, call.user.scope, query))),
    place: ({ body }, call) => call.write((tx) => placeSite(tx, call, body)),
    export: ({ query }, call) => sendList(call, '工地', siteColumns, sitePage(call.user.scope, query)),
  })

export const stagesFeature = serve(stagesApi, {
  plan: ({ body }, call) => call.write((tx) => planStages(tx, call, body)),
  change: ({ body }, call) => call.write((tx) => changeStage(tx, call, body)),
})
