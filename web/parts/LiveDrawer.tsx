import { viewPurpose } from '@zhuguan/contract/features/video/purposes.record.ts'
import { Drawer } from 'antd'

import { CameraLive } from './video/CameraLive.tsx'
import type { Purpose } from './video/purpose.ts'

/** One camera live, beside the page that it was opened on. */
export default function LiveDrawer({
  id,
  sn,
  purpose = viewPurpose.code.patrol,
  onClose,
}: {
  id: string
  sn: string
  /** The purpose that the page is opened for. */
  purpose?: Purpose['purpose']
  onClose: () => void
}) {
  return (
    <Drawer open title={`${sn} 实时预览`} size="min(720px, 100vw)" onClose={onClose}>
      <CameraLive deviceId={id} purpose={purpose} size="full" />
    </Drawer>
  )
}
