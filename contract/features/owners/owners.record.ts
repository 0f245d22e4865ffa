import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { siteStatus } from '../sites/sites.record.ts'
import { homeVideo } from './home-video-state.record.ts'

/** The relation of a contact to a home. */
export const contactRelation = defineCodes('contactRelation', '关系', {
  owner: ['owner', '业主'],
  spouse: ['spouse', '配偶'],
  parent: ['parent', '父母'],
  child: ['child', '子女'],
  agent: ['agent', '代办人'],
  other: ['other', '其他'],
})

/** The work that waits in a home: words, complaints, promises of today, decisions that are overdue. */
export const homeWaits = defineCodes('homeWaits', '待处理', {
  mine: ['mine', '待我处理'],
  any: ['any', '有待处理'],
})

/** The fate of promises to the owner of before. */
export const promisesAfter = defineCodes('promisesAfter', '原来的承诺', {
  taken: ['taken', '由新业主接着'],
  withdrawn: ['withdrawn', '撤回'],
})

/** A home: a site with somebody whose it is. */
export const homeRow = z.object({
  /** The site's. */
  id: z.string(),
  /** The signatory, as a contact of this home. */
  contact_id: z.string(),
  contactVersion: z.number().int(),
  ownerName: z.string(),
  phone: z.string(),
  /** Besides the signatory. */
  contacts: z.number().int(),
  /** The number of questions that the owner has not decided, and of those past their day. */
  openQuestions: z.number().int(),
  lateQuestions: z.number().int(),
  /** The progress of looking by link, and the time of the last look. */
  video: homeVideo.schema,
  lastLookAt: z.number().int().nullable(),
  /** Complaints that are not closed, and how many of them are past their clock. */
  openComplaints: z.number().int(),
  lateComplaints: z.number().int(),
  /** Open complaints of an owner of before. */
  formerComplaints: z.number().int(),
  /** Promises whose last day is today or over. */
  duePromises: z.number().int(),
  /** The average of the home's own scores, and their number; nobody has scored: null. */
  score: z.number().nullable(),
  scores: z.number().int(),
  code: z.string(),
  ws_name: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  status: siteStatus.schema,
  steward_id: z.string().nullable(),
  stewardName: z.string(),
  /** Since when it is theirs, as far as we know. */
  since: z.number().int(),
  /** By when the first of what waits is to be done: the worst home has the earliest. */
  urgentAt: z.number().int().nullable(),
  /** The first word of the home that nobody has answered yet, and whether its answer is late. */
  waitingSince: z.number().int().nullable(),
  replyLate: z.boolean(),
})
export type HomeRow = z.output<typeof homeRow>

export const contact = z.object({
  id: z.string(),
  name: z.string(),
  relation: contactRelation.schema,
  /** The person whose name the contract bears: one a home. */
  signatory: z.boolean(),
  phone: z.string(),
  since: z.number().int(),
  endedAt: z.number().int().nullable(),
  endedBy: z.string(),
  endedFor: z.string(),
  version: z.number().int(),
})
export type Contact = z.output<typeof contact>

export const homeDetail = z.object({
  id: z.string(),
  code: z.string(),
  ws_name: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  community: z.string(),
  address: z.string(),
  status: siteStatus.schema,
  contract: z.string(),
  startDate: z.string().nullable(),
  plannedFinish: z.string().nullable(),
  steward_id: z.string().nullable(),
  steward: z.string(),
  manager: z.string(),
  /** The version of the notice that the owner was given; empty: nobody said so. */
  notice: z.string(),
  /** Those of today, the signatory first, then those of before. */
  contacts: z.array(contact),
  /** The other homes in the caller's reach that belong to the same person. */
  others: z.array(z.object({ id: z.string(), code: z.string(), ws_name: z.string() })),
})
export type HomeDetail = z.output<typeof homeDetail>

export const contactLog = logged('业主联系人', {
  site_id: ['工地', 'site'],
  name: ['姓名', 'personal'],
  relation: ['关系', contactRelation],
  phone: ['电话', 'personal'],
  reason: '原因',
  promises: ['原来的承诺', promisesAfter],
})
