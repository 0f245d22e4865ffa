import { quotationActions } from '@zhuguan/contract/features/quotations/quotations.actions.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import type { QuotationDetail } from '@zhuguan/contract/features/quotations/quotations.record.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call, callForBytes } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { saveAs } from '../../kit/save.ts'
import { grantedTo } from '../../parts/granted.tsx'
import { useActor } from '../../parts/session.ts'
import { useMakeContract } from './useMakeContract.ts'
import type { Writing } from './useWriting.ts'

/** The commands for the whole quotation; what is still unsaved is saved first. */
export function useQuotationActions(
  detail: QuotationDetail,
  { saving }: Writing,
  open: { copy: () => void; versions: () => void },
): RowAction[] {
  const actor = useActor()
  const make = useMakeContract()
  const { id, code, shown } = detail
  const isNewest = shown === detail.number
  const settled = async () => {
    await saving.save()
    if (saving.isDirty()) throw new Error('还有内容没有保存，请先处理左上角说的问题')
    return { body: { id, version: Math.max(saving.version(), detail.version) } }
  }
  const file = async (endpoint: typeof quotationsApi.sheet | typeof quotationsApi.pdf, ending: string) => {
    if (isNewest) await saving.save()
    saveAs(await callForBytes(endpoint, { query: { id, number: shown } }), `${code} v${shown}.${ending}`)
  }
  const done = isNewest
    ? actionsOf(quotationActions, detail, actor, {
        edit: null,
        submit: { run: async () => call(quotationsApi.submit, await settled()) },
        withdraw: { run: async () => call(quotationsApi.withdraw, await settled()) },
        revise: { run: async () => call(quotationsApi.revise, await settled()) },
        contract: { open: () => make(settled().then(({ body }) => body)) },
        void: {
          confirm: `作废 ${code}：不能再改，也不能再用。请写明原因`,
          run: async (reason) => {
            const { body } = await settled()
            return call(quotationsApi.void, { body: { ...body, reason } })
          },
        },
      })
    : []
  return [
    ...done.filter((a) => a.key !== 'void'),
    { key: 'pdf', label: 'PDF', run: () => file(quotationsApi.pdf, 'pdf') },
    { key: 'sheet', label: '下载 Excel', run: () => file(quotationsApi.sheet, 'xlsx') },
    { key: 'versions', label: '版本', open: open.versions },
    ...grantedTo(actor, [{ needs: 'quotation:edit', key: 'copy', label: '复制', open: open.copy }]),
    { key: 'print', label: '打印', open: () => window.print() },
    ...done.filter((a) => a.key === 'void'),
  ]
}
