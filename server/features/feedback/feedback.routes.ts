import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { feedbackColumns } from '@zhuguan/contract/features/feedback/feedback.columns.ts'

import { found } from '../../kit/refuse.ts'
import { type Call, type Feature, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { countSearch } from '../customers/number-looks.service.ts'
import { sendList } from '../exports/exports.service.ts'
import type { FileStore } from '../files/files.service.ts'
import { feedbackDetails, timeOf } from './details.queries.ts'
import { printDossier } from './dossier.service.ts'
import { enterFeedback } from './entering.service.ts'
import { feedbackPage } from './feedback.queries.ts'
import { changeFeedback, type FeedbackCommand } from './feedback.service.ts'

const change = async (call: Call, command: FeedbackCommand): Promise<void> => {
  await call.write((tx) => changeFeedback(tx, call, command))
}
export const feedbackFeature = ({ files, secretKey }: { files: FileStore; secretKey: Buffer }): Feature =>
  serve(feedbackApi, {
    list: async ({ query }, call) => {
      await countSearch(call, secretKey, query.keyword, 'owner')
      return call.read((tx) => pageJson(tx, feedbackPage(call.user.scope, query)))
    },
    details: ({ query }, call) =>
      call.read(async (tx) => {
        const { scope } = call.user
        return found(await feedbackDetails(tx, scope, query.id, await timeOf(tx, scope.tenant, query.id)))
      }),
    dossier: ({ query }, call) => printDossier(call, files, query.id),
    enter: ({ body }, call) => call.write((tx) => enterFeedback(tx, call, body)),
    accept: ({ body }, call) => change(call, { action: 'accept', ...body }),
    answer: ({ body }, call) => change(call, { action: 'answer', ...body }),
    transfer: ({ body }, call) => change(call, { action: 'transfer', ...body }),
    raise: ({ body }, call) => change(call, { action: 'raise', ...body }),
    lower: ({ body }, call) => change(call, { action: 'lower', ...body }),
    escalate: ({ body }, call) => change(call, { action: 'escalate', ...body }),
    pause: ({ body }, call) => change(call, { action: 'pause', ...body }),
    resume: ({ body }, call) => change(call, { action: 'resume', ...body }),
    correct: ({ body }, call) => call.write((tx) => changeFeedback(tx, call, { action: 'correct', ...body })),
    close: ({ body }, call) => change(call, { action: 'close', ...body }),
    thank: ({ body }, call) => change(call, { action: 'thank', ...body }),
    cancel: ({ body }, call) => change(call, { action: 'cancel', ...body }),
    reopen: ({ body }, call) => change(call, { action: 'reopen', ...body }),
    score: ({ body }, call) => change(call, { action: 'score', ...body }),
    callback: ({ body }, call) => change(call, { action: 'callback', ...body }),
    release: ({ body }, call) => change(call, { action: 'release', ...body }),
    export: ({ query }, call) =>
      sendList(call, '反馈与投诉', feedbackColumns, feedbackPage(call.user.scope, query)),
  })
