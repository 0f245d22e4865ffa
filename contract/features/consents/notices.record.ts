import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'

/** The occasion on which somebody is told what is kept of them and why. */
export const noticeKind = defineCodes('noticeKind', '告知书', {
  customer: ['customer', '客户登记'],
  signing: ['signing', '签约'],
  owner: ['owner', '业主导入'],
  worker: ['worker', '工人登记'],
  camera: ['camera', '摄像头装到工地'],
  face: ['face', '采集人脸'],
})
export type NoticeKind = (typeof noticeKind.values)[number]

/** The words of each notice; whoever changes them gives them a new version. */
export const NOTICES: Record<NoticeKind, { version: string; words: string }> = {
  customer: {
    version: '2026-11',
    words:
      '您的姓名、电话和房屋情况只用于装修咨询、报价和签约，由本公司顾问联系；不愿再联系时告诉我们即可停止。',
  },
  signing: {
    version: '2026-11',
    words:
      '您的姓名、电话、地址和合同用于施工、结算和保修；工地装有摄像头和门口考勤；合同按法律保存，其余可以随时要求查阅、复制或删除。',
  },
  owner: {
    version: '2026-11',
    words: '您的姓名、电话和地址转到本系统，只用于您家的施工和保修；可以随时要求查阅、复制或删除。',
  },
  worker: {
    version: '2026-11',
    words:
      '您的姓名、电话、工种和打卡记录用于派工、结算和查验证件；可以随时要求查阅、复制，离场结清后可以要求删除。',
  },
  camera: {
    version: '2026-11',
    words:
      '工地里装了摄像头，用于安全和质量，画面按天数自动删除；门口贴有提示，业主和进场工人都已知道它装在哪里、谁能看。',
  },
  face: {
    version: '2026-11',
    words: '人脸只用于本公司工地的刷脸考勤，不采集也能用补卡上工；撤回同意或停用时照片立即删除。',
  },
}

/** Whether the notice of the occasion was given, asked where the record is made. */
export const told = z.boolean().default(false).meta({ title: '已告知' })
/** The version that the record names; empty: nobody has told them. */
export const noticeGiven = (kind: NoticeKind, isTold: boolean): string =>
  isTold ? NOTICES[kind].version : ''
/** The same in words. */
export const noticeWords = (version: string): string =>
  version ? `已按 ${version} 版告知` : '还没有登记告知'

/** The column of a list by which an import says who was told. */
export const toldColumn = (kind: NoticeKind, whom: string) =>
  ({
    key: 'told',
    title: '已告知',
    hint: `填“是”表示已按 ${NOTICES[kind].version} 版告知过${whom}；“否”或不填按没有`,
    example: '是',
  }) as const
