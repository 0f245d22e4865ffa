import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { uuid } from '../../kit/paging.ts'
import { wallContent } from './walls-content.record.ts'

const whole = z.number().int()
const browser = {
  /** This tab, so that of two with one cookie one paints. */
  tab: z.string().regex(/^[0-9a-f]{32}$/, { error: '页面编号不正确' }),
  width: whole.min(0).max(100_000),
  height: whole.min(0).max(100_000),
  /** The program that runs there. */
  bundle: z
    .string()
    .regex(/^[\w.-]{0,80}$/, { error: '程序版本不正确' })
    .default(''),
}

/** What a wall asks, which nobody is signed in at: its cookie alone says which one it is. */
export const screenDoorApi = defineApi({
  look: {
    method: 'POST',
    path: '/open/screen/look',
    title: '屏幕取画面',
    access: 'public',
    work: 'screen',
    body: z.object({
      ...browser,
      /** What it has: the answer leaves out what it would only repeat. */
      stamp: z.string().max(64).default(''),
      /** Forgets that it was taken back and shows a new code. */
      anew: z.boolean().default(false),
    }),
    data: z.object({
      state: z.enum(['unpaired', 'wall', 'elsewhere', 'revoked']),
      code: z.string(),
      /** The time for which the code is still good. */
      left: whole,
      stamp: z.string(),
      content: wallContent.nullable(),
      /** The server's time: a wall's own clock may be wrong. */
      at: whole,
      /** The program that the server has: an older one loads itself anew between two scenes. */
      bundle: z.string(),
    }),
  },
  /** A picture of a case that is shown, asked about at every byte. */
  picture: {
    method: 'POST',
    path: '/open/screen/picture',
    title: '屏幕取案例照片',
    access: 'public',
    work: 'screen',
    body: z.object({
      case_id: uuid.meta({ title: '案例' }),
      key: z.string().max(60).meta({ title: '照片' }),
    }),
    data: nothing,
    raw: true,
  },
  /** The scene that it really paints. */
  report: {
    method: 'POST',
    path: '/open/screen/report',
    title: '屏幕报告画面',
    access: 'public',
    work: 'screen',
    body: z.object({
      ...browser,
      scene: z.string().regex(/^\w{0,20}$/, { error: '场景不正确' }),
      item: z.string().max(60),
      frames: whole.min(0).max(2_000_000_000),
      age: whole.min(0).max(2_000_000_000),
    }),
    data: nothing,
  },
})
