import { alarmAttention, type AlarmRow } from '@zhuguan/contract/features/alarms/alarms.record.ts'

/** Of what a camera is too often wrong about: it was filed and nobody was told. */
export const Unannounced = ({ alarm }: { alarm: Pick<AlarmRow, 'attention'> }) =>
  alarm.attention === alarmAttention.code.review ? (
    <small className="unannounced" title="这台摄像头的这类报警误报多，只入库，不提醒">
      {alarmAttention.label(alarm.attention)}
    </small>
  ) : null
