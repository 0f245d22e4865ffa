import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { typed, version } from '../../kit/fields.ts'
import { uuid } from '../../kit/paging.ts'
import { causeKind } from '../notifications/notifications.record.ts'
import { myMail, noticeWay } from './mails.record.ts'

const TIME = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d)?$/, { error: '时间应为 22:00 这样的写法' })
const MOST_SITES = 200

/** Everybody's own: nobody sets another's. */
export const mailsApi = defineApi({
  mine: {
    method: 'POST',
    path: '/user/api/mail/mine',
    title: '消息设置',
    access: 'signedIn',
    data: myMail,
  },
  /** Sends a code there; until it is typed mail goes where it went before. */
  ask: {
    method: 'POST',
    path: '/user/api/mail/ask',
    title: '填写邮箱',
    access: 'signedIn',
    body: z.object({
      address: typed()
        .max(100, { error: '邮箱最多 100 个字' })
        .regex(/^[\w.+-]+@[A-Za-z\d-]+(\.[A-Za-z\d-]+)+$/, { error: '邮箱应为 name@example.com 这样的写法' })
        .meta({ title: '邮箱' }),
    }),
    data: nothing,
  },
  confirm: {
    method: 'POST',
    path: '/user/api/mail/confirm',
    title: '确认邮箱',
    access: 'signedIn',
    body: z.object({
      code: typed()
        .regex(/^\d{6}$/, { error: '验证码是邮件里的 6 位数字' })
        .meta({ title: '验证码' }),
    }),
    data: nothing,
  },
  /** No mail any more; what waited is not sent. */
  remove: {
    method: 'POST',
    path: '/user/api/mail/remove',
    title: '不再发邮件',
    access: 'signedIn',
    data: nothing,
  },
  rules: {
    method: 'POST',
    path: '/user/api/mail/rules',
    title: '消息规则',
    access: 'signedIn',
    body: z.object({
      version,
      ways: z
        .array(z.object({ kind: causeKind.schema, way: noticeWay.schema }))
        .max(causeKind.values.length)
        .default([])
        .meta({ title: '怎么告诉我' }),
      sites: z
        .array(uuid)
        .max(MOST_SITES, { error: `最多选 ${MOST_SITES} 个工地` })
        .default([])
        .meta({ title: '工地' }),
      quietFrom: TIME.default('').meta({ title: '免打扰从' }),
      quietTo: TIME.default('').meta({ title: '免打扰到' }),
      hour: z.number().int().min(0).max(23).meta({ title: '汇总时间' }),
    }),
    data: nothing,
  },
  /** One mail at once; answers only when the mail server has taken it. */
  trial: {
    method: 'POST',
    path: '/user/api/mail/trial',
    title: '试发一条',
    access: 'signedIn',
    data: nothing,
  },
})
