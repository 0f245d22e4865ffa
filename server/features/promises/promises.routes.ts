import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import { promiseColumns } from '@zhuguan/contract/features/promises/promises.columns.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { promiseDetails, promisePage, ratesOf } from './promises.queries.ts'
import { addPromise, type Around, changePromise, foreseePromise } from './promises.service.ts'

export const promisesFeature = (around: Around) =>
  serve(promisesApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, promisePage(call.user.scope, query))),
    details: ({ query }, call) =>
      call.read(async (tx) => found(await promiseDetails(tx, call.user.scope, query.id))),
    rates: ({ query }, call) =>
      call.read(async (tx) => ({
        at: Math.floor(call.now().getTime() / 1000),
        ...(await ratesOf(tx, call.user.scope, query)),
      })),
    contradictions: ({ query }, call) => call.read((tx) => foreseePromise(tx, call, query)),
    add: ({ body }, call) => call.write((tx) => addPromise(tx, call, body)),
    keep: ({ body }, call) =>
      call.write((tx) => changePromise(tx, call, around, { action: 'keep', ...body })),
    extend: ({ body }, call) =>
      call.write((tx) => changePromise(tx, call, around, { action: 'extend', ...body })),
    object: ({ body }, call) =>
      call.write((tx) => changePromise(tx, call, around, { action: 'object', ...body })),
    uphold: ({ body }, call) =>
      call.write((tx) => changePromise(tx, call, around, { action: 'uphold', ...body })),
    dismiss: ({ body }, call) =>
      call.write((tx) => changePromise(tx, call, around, { action: 'dismiss', ...body })),
    break: ({ body }, call) =>
      call.write((tx) => changePromise(tx, call, around, { action: 'break', ...body })),
    withdraw: ({ body }, call) =>
      call.write((tx) => changePromise(tx, call, around, { action: 'withdraw', ...body })),
    export: ({ query }, call) =>
      sendList(call, '承诺管理', promiseColumns, promisePage(call.user.scope, query)),
  })
