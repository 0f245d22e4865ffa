import { visitorsApi } from '@zhuguan/contract/features/visitors/visitors.api.ts'
import { visitColumns } from '@zhuguan/contract/features/visitors/visitors.columns.ts'

import { type Feature, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import type { FileStore } from '../files/files.service.ts'
import { visitPage } from './visitors.queries.ts'
import { enrolVisitor, faceOfVisit, markVisit, tellSteward } from './visitors.service.ts'

export function visitorsFeature(files: FileStore): Feature {
  return serve(visitorsApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, visitPage(call.user.scope, query))),
    mark: ({ body }, call) => call.write((tx) => markVisit(tx, call, body)),
    enrol: ({ body }, call) => call.write((tx) => enrolVisitor(tx, call, body)),
    face: ({ body }, call) => faceOfVisit(call, files, body),
    tell: ({ body }, call) => call.write((tx) => tellSteward(tx, call, body)),
    export: ({ query }, call) =>
      sendList(call, '陌生人来访', visitColumns, visitPage(call.user.scope, query)),
  })
}
