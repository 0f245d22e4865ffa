import { type Paper, paperPdf } from '../../kit/paper.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import { headOf } from './companies.reads.ts'

/** A document of a branch, or of the whole group, drawn, written into the log, and sent under a name of its own. */
export async function sendBranchPaper(
  call: Call,
  of: { bc_id: string; bc_name: string },
  name: string,
  entry: Parameters<Call['log']>[1],
  paperOf: (head: Paper['head'], foot: string) => Paper,
): Promise<void> {
  const { id, tenant, nickname } = call.user
  const head =
    of.bc_id === ''
      ? { name: of.bc_name, address: '', phone: '' }
      : await call.read((tx) => headOf(tx, tenant, of.bc_id))
  const file = await paperPdf(id, paperOf(head, `${nickname} ${shanghaiTime(call.now())} 打印`))
  await call.write((tx) => call.log(tx, entry))
  await call.reply
    .header('content-type', 'application/pdf')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}.pdf`)
    .send(file)
}
