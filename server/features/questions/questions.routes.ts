import { questionsApi } from '@zhuguan/contract/features/questions/questions.api.ts'
import { questionColumns } from '@zhuguan/contract/features/questions/questions.columns.ts'

import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import type { FileStore } from '../files/files.service.ts'
import { askOwner, foreseeQuestion } from './asking.service.ts'
import { questionPage } from './questions.queries.ts'
import { recordAnswer, withdrawQuestion } from './questions.service.ts'

export const questionsFeature = (files: FileStore) =>
  serve(questionsApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, questionPage(call.user.scope, query))),
    foresee: ({ query }, call) => call.read((tx) => foreseeQuestion(tx, call, query)),
    ask: ({ body }, call) => call.write((tx) => askOwner(tx, call, body)),
    record: ({ body }, call) => call.write((tx) => recordAnswer(tx, call, files, body)),
    withdraw: ({ body }, call) => call.write((tx) => withdrawQuestion(tx, call, body)),
    export: ({ query }, call) =>
      sendList(call, '待业主决定', questionColumns, questionPage(call.user.scope, query)),
  })
