import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import type { ImportDef } from '@zhuguan/contract/kit/imports.ts'
import type { ListEndpoint } from '@zhuguan/contract/kit/paging.ts'
import { hasAnyPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { lazyPart } from '../kit/lazyPart.tsx'
import { ExportButton } from '../kit/list/ExportButton.tsx'
import type { List } from '../kit/list/useList.ts'
import { message } from '../kit/notices.ts'
import { Granted } from './granted.tsx'
import { useActor } from './session.ts'

const ImportDrawer = lazyPart(() => import('./ImportDrawer.tsx'))

/** What the list shows as a workbook, for those who may have it. */
export function ListExport<E extends ListEndpoint>(p: { list: List<E>; endpoint: Endpoint; name: string }) {
  const actor = useActor()
  const { access } = p.endpoint
  if (typeof access === 'string' || !hasAnyPermission(actor, access)) return null
  return <ExportButton endpoint={p.endpoint} filters={p.list.query} total={p.list.total} name={p.name} />
}

/** Rows from a workbook, for those who may bring them; what there is to say of it comes when somebody begins. */
export function ListImport<E extends ListEndpoint>(p: {
  list: List<E>
  needs: string
  load: () => Promise<ImportDef>
  label?: string
}) {
  const [def, setDef] = useState<ImportDef | null>(null)
  const open = () => void p.load().then(setDef, () => message.error('连接不上服务器，请检查网络后再试'))
  return (
    <Granted needs={p.needs}>
      <button className="button" onClick={open}>
        {p.label ?? '导入 Excel'}
      </button>
      {def && <ImportDrawer def={def} onClose={() => setDef(null)} onDone={() => void p.list.refresh()} />}
    </Granted>
  )
}
