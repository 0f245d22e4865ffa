import { useQueryClient } from '@tanstack/react-query'
import { facesApi } from '@zhuguan/contract/features/workers/faces.api.ts'
import { type FaceRemoval, faceWhy } from '@zhuguan/contract/features/workers/faces.record.ts'
import { Drawer } from 'antd'

import { call } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { short } from '../../kit/time.ts'
import { Granted } from '../../parts/granted.tsx'
import { REMOVALS, useRemovals } from './useRemovals.ts'

import './device.css'

/** Faces that terminals must forget, each with the word that it is done. */
export default function FacesDrawer({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const { data, error, refetch } = useRemovals()
  const done = async ({ id, version, w_name: name, deviceSn: sn }: FaceRemoval) => {
    try {
      await call(facesApi.removed, { body: { id, version } })
      message.success(`已登记：${name} 已从 ${sn} 上删除`)
    } catch (e) {
      message.error((e as Error).message)
    }
    await client.invalidateQueries({ queryKey: REMOVALS })
  }
  return (
    <Drawer open title="待从终端删除的人脸" size="min(560px, 100vw)" mask={false} onClose={onClose}>
      <p className="quiet">同意撤回或工人停用以后，终端上的人脸要由人删除；在终端上删完，再点“已删除”。</p>
      {error && <Failed error={error} again={() => void refetch()} />}
      {data?.length === 0 && <p className="quiet">没有要删除的人脸。</p>}
      <ul className="face-removals">
        {data?.map((r) => (
          <li key={r.id}>
            <div>
              <b>
                把{' '}
                <LinkTo page="WorkerInfo" query={{ id: r.worker_id }}>
                  {r.w_name}
                </LinkTo>{' '}
                从 {r.deviceSn} 上删除
              </b>
              <small>
                {[r.siteName, faceWhy.label(r.why), short(r.openedAt)].filter(Boolean).join(' · ')}
              </small>
            </div>
            <Granted needs="device:bind">
              <button className="button" onClick={() => void done(r)}>
                已删除
              </button>
            </Granted>
          </li>
        ))}
      </ul>
    </Drawer>
  )
}
