import { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'
import { screenDoorApi } from '@zhuguan/contract/features/screens/screen-door.api.ts'
import { screensApi } from '@zhuguan/contract/features/screens/screens.api.ts'

import type { Database } from '../../database/connect.ts'
import { found, Refused } from '../../kit/refuse.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { type Call, type Feature, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import type { FileStore } from '../files/files.service.ts'
import { arrangementOf, arrangementPage, caseIn, storesIn } from './arrangements.queries.ts'
import {
  addArrangement,
  deleteArrangement,
  editArrangement,
  sendArrangement,
  showArrangement,
  undoArrangement,
} from './arrangements.service.ts'
import { wallBundle } from './bundle.ts'
import { screenDoor } from './screen-door.service.ts'
import { screenPage } from './screens.queries.ts'
import { screenPairing, takeBackScreen } from './screens.service.ts'
import { type CodesOf, wallContents } from './wall-content.service.ts'

const sendPicture = ({ reply }: Call, bytes: Buffer): void => {
  reply
    .header('content-type', 'image/webp')
    .header('cache-control', 'no-store')
    .header('cross-origin-resource-policy', 'same-origin')
    .send(bytes)
}

/** Walls, what they show, and the door that they come in by. */
export function screensFeatures(deps: { codesOf: CodesOf; db: Database; files: FileStore }): Feature[] {
  const contents = wallContents(deps)
  const pairing = screenPairing(deps)
  const door = screenDoor({ ...deps, contents, bundle: wallBundle() })
  return [
    serve(arrangementsApi, {
      list: ({ query }, call) => call.read((tx) => pageJson(tx, arrangementPage(call.user.scope, query))),
      details: ({ query }, call) =>
        call.read(async (tx) => found(await arrangementOf(tx, call.user.scope, query.id))),
      add: ({ body }, call) => call.write((tx) => addArrangement(tx, call, body)),
      edit: ({ body }, call) => call.write((tx) => editArrangement(tx, call, body)),
      undo: ({ body }, call) => call.write((tx) => undoArrangement(tx, call, body)),
      del: ({ body }, call) => call.write((tx) => deleteArrangement(tx, call, body)),
      send: ({ body }, call) => call.write((tx) => sendArrangement(tx, call, body)),
      stores: (_input, call) => call.read((tx) => storesIn(tx, call.user.scope)),
      async picture({ body }, call) {
        const { scope, tenant } = call.user
        const { bc_id } = await call.read(async (tx) => found(await arrangementOf(tx, scope, body.id)))
        found(await call.within(wholeGroup(tenant)).read((tx) => caseIn(tx, tenant, bc_id, body.case_id)))
        const bytes = await contents.pictureOf({ tenant, bc: bc_id }, body, call.now())
        if (!bytes) throw new Refused('这张照片不能再看了', 404, 404)
        sendPicture(call, bytes)
      },
      show: ({ query }, call) => showArrangement(call, query, contents.contentOf),
    }),
    serve(screensApi, {
      list: ({ query }, call) => call.read((tx) => pageJson(tx, screenPage(call.user.scope, query))),
      find: ({ query }, call) => pairing.find(call, query.code),
      pair: ({ body }, call) => pairing.pair(call, body),
      replace: ({ body }, call) => pairing.replace(call, body),
      revoke: ({ body }, call) => call.write((tx) => takeBackScreen(tx, call, body)),
    }),
    serve(screenDoorApi, {
      look: ({ body }, call) => door.look(call, body),
      picture: async ({ body }, call) => sendPicture(call, await door.picture(call, body)),
      report: ({ body }, call) => door.report(call, body),
    }),
  ]
}
