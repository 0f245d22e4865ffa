import type { FeedbackDetail } from '@zhuguan/contract/features/feedback/feedback.record.ts'

import { paperPdf, type PaperPictures } from '../../kit/paper.ts'
import { found } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import { headOf } from '../companies/companies.reads.ts'
import { type FileStore, smaller } from '../files/files.service.ts'
import { watermarked } from '../files/watermark.service.ts'
import { feedbackDetails } from './details.queries.ts'
import { dossierPaper } from './dossier-paper.ts'
import { besideCase, timeOf } from './dossier.queries.ts'

/** So many pictures are in the paper; it says how many there are. */
const MOST_PICTURES = 24

/** Those of the case and of each line, marked with who takes them out of the house; one that is gone is named. */
async function picturesOf(files: FileStore, f: FeedbackDetail, mark: string): Promise<PaperPictures> {
  const all = [
    ...f.pictures.map((key) => ({ key, caption: `登记 ${shanghaiTime(new Date(f.enteredAt * 1_000))}` })),
    ...f.events.flatMap((e) =>
      e.pictures.map((key) => ({ key, caption: `${e.actor} ${shanghaiTime(new Date(e.at * 1_000))}` })),
    ),
  ].filter(({ key }, i, list) => list.findIndex((p) => p.key === key) === i)
  const shown = []
  // One after the other: a picture's pixels are many times its file.
  for (const { caption, key } of all.slice(0, MOST_PICTURES)) {
    const bytes = await smaller(files, key, 'medium').catch(() => undefined)
    if (bytes) shown.push({ caption, jpeg: (await watermarked(bytes, mark)).toString('base64') })
    else shown.push({ caption: `${caption}（照片已不在）`, jpeg: '' })
  }
  const more =
    all.length > MOST_PICTURES ? `（共 ${all.length} 张，前 ${MOST_PICTURES} 张）` : `（${all.length} 张）`
  return { kind: 'pictures', title: `照片${more}`, pictures: shown }
}

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
  const pictures = await picturesOf(files, f, `${nickname} ${userName}  ${now}`)
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
