import { useQueryClient } from '@tanstack/react-query'
import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { trustsApi } from '@zhuguan/contract/features/trusts/trusts.api.ts'
import { trustColumns } from '@zhuguan/contract/features/trusts/trusts.columns.ts'
import { modelOf, type TrustRow, trustState } from '@zhuguan/contract/features/trusts/trusts.record.ts'
import { type ReactNode, useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, GivenFilter, KeywordFilter, TextFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, SiteFilter } from '../../parts/places.tsx'
import { Last, ShareOf, StateOf } from './trustWords.tsx'
import { useTrustActions } from './useTrustActions.ts'

const TrustPanel = lazyPart(() => import('./TrustPanel.tsx'))

const columns = columnsOf<typeof trustsApi.list>()(trustColumns, {
  site: (t) => (
    <LinkTo page="SiteInfo" query={{ id: t.site_id }}>
      {t.siteName}
    </LinkTo>
  ),
  model: (t) => modelOf(t.model),
  share: (t) => <ShareOf {...t} />,
  last: (t) => <Last verdicts={t.last} />,
  status: (t) => <StateOf state={t.state} />,
  why: (t) => <span title={t.by && `${t.by}：${t.why}`}>{t.why ? `${t.by}：${t.why}` : '一开始就通知'}</span>,
})
const ORDER = ['误报多的在前', '误报数多的在前，同样多的按判定数从少到多。点列名可以改用别的顺序。'] as const

export function Pairs({ views }: { views: ReactNode }) {
  const list = useList(trustsApi.list)
  const client = useQueryClient()
  const [opened, setOpened] = useState<TrustRow | null>(null)
  const actionsOf = useTrustActions()
  useLiveRows(list, ['trust'], (e) => e.id)
  const refresh = () => {
    void list.refresh()
    void client.invalidateQueries({ queryKey: [trustsApi.details.path] })
  }
  return (
    <>
      <ListPage
        name="摄像头和报警类型"
        list={list}
        columns={columns}
        onOpen={setOpened}
        order={ORDER}
        empty="摄像头上报过报警、有人判定以后，这里按摄像头和报警类型记账。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="设备编号、工地" />
            <CodeFilter list={list} field="state" label="提醒" options={trustState.options} />
            <CodeFilter list={list} field="type" label="报警类型" options={alarmType.options} />
            <BranchFilter list={list} />
            <SiteFilter list={list} />
            <TextFilter list={list} field="model" label="型号版本" placeholder="型号版本，例如 2.4" />
            <GivenFilter list={list} field="device_id" label="设备" value={() => '指定的一台'} />
            <GivenFilter list={list} field="id" label="摄像头和类型" value={() => '指定的一条'} />
          </>
        }
        actions={
          <>
            {views}
            <LinkTo className="button" page="AlarmEvent">
              报警事件
            </LinkTo>
            <ListExport list={list} endpoint={trustsApi.export} name="AI 信任账" />
          </>
        }
      />
      {opened && (
        <TrustPanel
          row={list.rows.find((r) => r.id === opened.id) ?? opened}
          actionsOf={actionsOf}
          onDone={refresh}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}
