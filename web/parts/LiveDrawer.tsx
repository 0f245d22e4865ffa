import { useQuery } from '@tanstack/react-query'
import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { playOf } from '@zhuguan/contract/features/devices/devices.record.ts'
import { Drawer } from 'antd'
import { useState } from 'react'

import { call } from '../kit/api.ts'
import { lazyPart } from '../kit/lazyPart.tsx'
import { Failed } from '../kit/list/ListPage.tsx'
import { Picture } from '../kit/Picture.tsx'
import { ago, full, nowSeconds } from '../kit/time.ts'

const LiveVideo = lazyPart(() => import('../kit/video/LiveVideo.tsx'))

/** An older picture does not say what is there now. */
const OLD = 600

/** Live where the gateway gives a picture; else the newest one with its age, never a frozen frame that looks live. */
export default function LiveDrawer({ id, sn, onClose }: { id: string; sn: string; onClose: () => void }) {
  const [failed, setFailed] = useState<string | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: [devicesApi.live.path, id],
    gcTime: 0,
    staleTime: Infinity,
    queryFn: ({ signal }) => call(devicesApi.live, { query: { id } }, signal),
  })
  const kind = data?.url ? playOf(data.url) : null
  const again = () => {
    setFailed(null)
    void refetch()
  }
  return (
    <Drawer open title={`${sn} 实时预览`} size="min(720px, 100vw)" onClose={onClose}>
      {error && <Failed error={error} again={again} />}
      {data?.url && kind && failed === null && (
        <LiveVideo key={data.url} url={data.url} kind={kind} onFail={setFailed} />
      )}
      {data && (!data.url || failed !== null) && (
        <>
          <p className="quiet">
            {failed === null ? (
              data.why
            ) : (
              <>
                {failed}，先看最近一次抓拍。{' '}
                <button className="text-button" onClick={again}>
                  再试一次
                </button>
              </>
            )}
          </p>
          {data.picture ? (
            <>
              <Picture
                picture={data.picture}
                caption={`${sn} ${full(data.pictureAt)}`}
                width="100%"
                height="auto"
                size="full"
              />
              <p className={data.pictureAt && nowSeconds() - data.pictureAt > OLD ? 'old' : ''}>
                抓拍于 {full(data.pictureAt)}（{ago(data.pictureAt)}）
              </p>
            </>
          ) : (
            <p className="quiet">还没有抓拍。</p>
          )}
        </>
      )}
    </Drawer>
  )
}
