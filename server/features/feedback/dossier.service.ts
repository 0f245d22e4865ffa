import type { FeedbackDetail } from '@zhuguan/contract/features/feedback/feedback.record.ts'

import { paperPdf } from '../../kit/paper.ts'
import { found } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import { headOf } from '../companies/companies.reads.ts'
import type { FileStore } from '../files/files.service.ts'
import { paperPictures } from '../files/paper-pictures.service.ts'
import { feedbackDetails, timeOf } from './details.queries.ts'
import { dossierPaper } from './dossier-paper.ts'
import { besideCase } from './dossier.queries.ts'

/** Those of the case and of each line. */
const picturesOf = (f: FeedbackDetail) => [
  ...f.pictures.map((key) => ({ key, caption: `登记 ${shanghaiTime(new Date(f.enteredAt * 1_000))}` })),
  ...f.events.flatMap((e) =>
    e.pictures.map((key) => ({ key, caption: `${e.actor} ${shanghaiTime(new Date(e.at * 1_000))}` })),
  ),
]

/** The whole case as PDF; that it was taken out of the house is in the log before it leaves. */
export async function printDossier(call: Call, files: FileStore, id: string): Promise<void> {
  const { id: me, nickname, scope, tenant, userName } = call.user
  const { beside, f, head } = await call.read(async (tx) => {
    const time = await timeOf(tx, tenant, id)
    const feedback = found(await feedbackDetails(tx, scope, id, time))
    return {
      f: feedback,
      beside: await besideCase(tx, tenant, feedback, time),
      head: await headOf(tx, tenant, feedback.bc_id),
    }
  })
  const now = shanghaiTime(call.now())
  const pictures = await paperPictures(files, picturesOf(f), `${nickname} ${userName}  ${now}`)
  const file = await paperPdf(
    me,
    dossierPaper(f, beside, { head, foot: `${nickname} ${now} 导出`, pictures }),
  )
  await call.write((tx) =>
    call.log(tx, {
      action: '导出反馈卷宗',
      object: 'feedback',
      objectId: f.id,
      after: { no: f.no, site_id: f.site_id },
    }),
  )
  await call.reply
    .header('content-type', 'application/pdf')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(`卷宗-${f.no}`)}.pdf`)
    .send(file)
}
