import { z } from 'zod'

import { defineApi } from '../../kit/api.ts'
import { eventsAnswer } from './devices.events.ts'

/** The devices' one door over HTTP (docs/device-protocol.md); MQTT carries the same bodies. */
export const deviceDoorApi = defineApi({
  events: {
    method: 'POST',
    path: '/open/device/events',
    title: '设备事件',
    access: 'device',
    data: eventsAnswer,
    raw: true,
  },
  files: {
    method: 'POST',
    path: '/open/device/files',
    title: '设备文件',
    access: 'device',
    data: z.object({ key: z.string() }),
    raw: true,
  },
})
