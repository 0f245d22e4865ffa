import { setting, time } from './setting.ts'

/** When the people of a home may look at it by their links. */
export const OWNER_VIDEO_SETTINGS = {
  ownerVideoFrom: setting({
    group: '业主视频',
    title: '业主视频时段从',
    what: '业主用手机看现场每天从几点起；给每位联系人的授权只能更短',
    value: time,
    otherwise: '08:00',
    input: 'time',
  }),
  ownerVideoTo: setting({
    group: '业主视频',
    title: '业主视频时段到',
    what: '到几点止，正在看的画面到点停止；早于或等于开始时间的，算到次日',
    value: time,
    otherwise: '20:00',
    input: 'time',
  }),
} as const
