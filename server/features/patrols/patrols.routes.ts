import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import { patrolColumns } from '@zhuguan/contract/features/patrols/patrols.columns.ts'
import {
  patrolPlansApi,
  patrolTasksApi,
  patrolTemplatesApi,
} from '@zhuguan/contract/features/patrols/plans.api.ts'
import { planColumns } from '@zhuguan/contract/features/patrols/plans.columns.ts'

import { reachOf } from '../../kit/reach.ts'
import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import type { FileStore } from '../files/files.service.ts'
import { patrolDetails, patrolPage } from './patrols.queries.ts'
import { abandon, beginPatrol, submitPatrol } from './patrols.service.ts'
import { planPage, templatesOf } from './plans.queries.ts'
import { changeTemplate, editPlan, newPlan, newTemplate, stopPlan } from './plans.service.ts'
import { stillsOf, wallOf } from './remote.queries.ts'
import { fileRemote } from './remote.service.ts'
import { fileColumns, taskFile, taskPage } from './tasks.queries.ts'
import { excuse } from './tasks.service.ts'

export const patrolsFeature = ({ files, video }: { files: FileStore; video: object | null }) =>
  serve(patrolsApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, patrolPage(call.user.scope, query))),
    details: ({ query }, call) =>
      call.read(async (tx) => found(await patrolDetails(tx, call.user.scope, query.id))),
    begin: ({ body }, call) => call.write((tx) => beginPatrol(tx, call, body)),
    submit: ({ body }, call) => call.write((tx) => submitPatrol(tx, call, files, body)),
    abandon: ({ body }, call) => call.write((tx) => abandon(tx, call, body)),
    remote: ({ body }, call) => call.write((tx) => fileRemote(tx, call, body, { hasLive: !!video })),
    wall: ({ query }, call) =>
      call.read(async (tx) => ({
        ...(await wallOf(tx, call.user.scope, call.user.id, query)),
        live: !!video && !!reachOf(call.user, 'device:live'),
      })),
    stills: ({ query }, call) => call.read((tx) => stillsOf(tx, call.user.scope, query.ids ?? [])),
    export: ({ query }, call) =>
      sendList(call, '巡检记录', patrolColumns, patrolPage(call.user.scope, query)),
  })

export const patrolTemplatesFeature = serve(patrolTemplatesApi, {
  list: ({ query }, call) => call.read((tx) => templatesOf(tx, call.user.scope, query)),
  add: ({ body }, call) => call.write((tx) => newTemplate(tx, call, body)),
  edit: ({ body }, call) => call.write((tx) => changeTemplate(tx, call, 'edit', body)),
  stop: ({ body }, call) => call.write((tx) => changeTemplate(tx, call, 'stop', body)),
  start: ({ body }, call) => call.write((tx) => changeTemplate(tx, call, 'start', body)),
})

export const patrolPlansFeature = serve(patrolPlansApi, {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, planPage(call.user.scope, query))),
  add: ({ body }, call) => call.write((tx) => newPlan(tx, call, body)),
  edit: ({ body }, call) => call.write((tx) => editPlan(tx, call, body)),
  stop: ({ body }, call) => call.write((tx) => stopPlan(tx, call, body)),
  export: ({ query }, call) => sendList(call, '巡检计划', planColumns, planPage(call.user.scope, query)),
})

export const patrolTasksFeature = serve(patrolTasksApi, {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, taskPage(call.user.scope, query))),
  excuse: ({ body }, call) => call.write((tx) => excuse(tx, call, body)),
  export: ({ query }, call) => sendList(call, '巡检任务', fileColumns, taskFile(call.user.scope, query)),
})
