import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import type { RecordingPiece } from '@zhuguan/contract/features/recordings/recordings.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { message } from '../../kit/notices.ts'
import { saveFrom } from '../../kit/save.ts'
import { Granted } from '../../parts/granted.tsx'
import type { Purpose } from '../../parts/video/purpose.ts'

/** The file as it came, for a player that knows its form. */
export function OriginalButton({ piece, why }: { piece: RecordingPiece; why: Purpose }) {
  const [busy, setBusy] = useState(false)
  async function take(): Promise<void> {
    setBusy(true)
    try {
      const { address, name } = await call(recordingsApi.original, { body: { id: piece.id, ...why } })
      saveFrom(address, name)
    } catch (error) {
      message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Granted needs="recording:clip">
      <button className="button primary" disabled={busy} onClick={() => void take()}>
        下载原文件
      </button>
    </Granted>
  )
}
