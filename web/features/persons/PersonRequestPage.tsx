import { personsApi } from '@zhuguan/contract/features/persons/persons.api.ts'
import {
  personAsk,
  type PersonDetail,
  personKind,
  personState,
} from '@zhuguan/contract/features/persons/persons.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { CodeFilter, GivenFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { BranchFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { personTable } from './personTable.tsx'
import { type Revealed, usePersonActions } from './usePersonActions.ts'

const AddDrawer = lazyPart(() => import('./AddDrawer.tsx'))
const VerifyDrawer = lazyPart(() => import('./VerifyDrawer.tsx'))
const PersonPanel = lazyPart(() => import('./PersonPanel.tsx'))

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(personsApi.list)

const LATE = [{ value: 'true', label: '已超期' }]

export default function PersonRequestPage() {
  const list = useList(personsApi.list)
  const actor = useActor()
  const [opened, setOpened] = useState<string | null>(list.address.filters.id ?? null)
  const [adding, setAdding] = useState(false)
  const [verifying, setVerifying] = useState<PersonDetail | null>(null)
  const [seen, setSeen] = useState<{ id: string; names: Revealed } | null>(null)
  const refresh = () => void list.refresh()
  const actionsOf = usePersonActions({
    verify: (r) => void call(personsApi.details, { query: { id: r.id } }).then(setVerifying),
    revealed: (r, names) => {
      setSeen({ id: r.id, names })
      setOpened(r.id)
    },
  })
  return (
    <>
      <ListPage
        name="个人信息请求"
        list={list}
        columns={personTable}
        onOpen={(r) => setOpened(r.id)}
        empty="没有请求。业主在自己的页面上提出的、客服登记的都在这里。"
        order={['没办完的在前', '没办完的在前，其余按收到时间，新的在前']}
        filters={
          <>
            <CodeFilter list={list} field="state" label="进度" options={personState.options} />
            <CodeFilter list={list} field="ask" label="请求" options={personAsk.options} />
            <CodeFilter list={list} field="kind" label="什么人" options={personKind.options} />
            <CodeFilter list={list} field="late" label="超期" options={LATE} />
            <BranchFilter list={list} />
            <GivenFilter list={list} field="id" label="请求" value={() => '指定的一个'} />
          </>
        }
        actions={
          hasPermission(actor, 'person:add') && (
            <button className="button primary" onClick={() => setAdding(true)}>
              登记请求
            </button>
          )
        }
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {opened && (
        <PersonPanel
          id={opened}
          version={list.rows.find((r) => r.id === opened)?.version}
          actionsOf={actionsOf}
          revealed={seen?.id === opened ? seen.names : []}
          onDone={refresh}
          onClose={() => setOpened(null)}
        />
      )}
      {adding && <AddDrawer onClose={() => setAdding(false)} onDone={refresh} />}
      {verifying && <VerifyDrawer request={verifying} onClose={() => setVerifying(null)} onDone={refresh} />}
    </>
  )
}
