import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import type { ImportDef } from '@zhuguan/contract/kit/imports.ts'
import type { ListEndpoint } from '@zhuguan/contract/kit/paging.ts'
import { hasAnyPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { lazyPart } from '../kit/lazyPart.tsx'
import { ExportButton } from '../kit/list/ExportButton.tsx'
import type { List } from '../kit/list/useList.ts'
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

/** Rows from a workbook, for those who may bring them. */
export function ListImport<E extends ListEndpoint>(p: { list: List<E>; def: ImportDef; label?: string }) {
  const [open, setOpen] = useState(false)
  return (
    <Granted needs={p.def.permission}>
      <button className="button" onClick={() => setOpen(true)}>
        {p.label ?? '导入 Excel'}
      </button>
      {open && (
        <ImportDrawer def={p.def} onClose={() => setOpen(false)} onDone={() => void p.list.refresh()} />
      )}
    </Granted>
  )
}
