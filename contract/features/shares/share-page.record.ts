import { z } from 'zod'

import { publicCase } from '../cases/cases.record.ts'
import { sharedQuotation } from '../quotations/shared-quotation.record.ts'
import { siteStage, siteStatus } from '../sites/sites.record.ts'
import { sharedKind } from './shares.record.ts'

/** The words for a customer who leaves their number here; it changes with its words. */
export const SHARE_NOTICE = {
  version: '链接 2026-11',
  words: '您的姓名和电话只用于这次装修咨询，由发给您链接的顾问联系；不愿再联系时告诉我们即可停止。',
} as const

/** A home that is being built nearby, or was: its community, how far it is and for how long; nothing that finds it. */
export const nearSite = z.object({
  id: z.string(),
  community: z.string(),
  status: siteStatus.schema,
  stage: siteStage.schema.nullable(),
  days: z.number().int().nullable(),
  style: z.string(),
})
export type NearSite = z.output<typeof nearSite>
export const sharedPackage = z.object({
  name: z.string(),
  perSquareMetre: z.string(),
  leastArea: z.string(),
  items: z.array(z.object({ room: z.string(), name: z.string(), detail: z.string() })),
})
export type SharedPackage = z.output<typeof sharedPackage>

/** The subject of a link for a customer. */
export const sharePage = z.object({
  kind: sharedKind,
  title: z.string(),
  /** The branch that it is of, and how it is called. */
  company: z.string(),
  companyPhone: z.string(),
  /** Whoever sent it. */
  maker: z.string(),
  person: z.string(),
  expiresAt: z.number().int(),
  at: z.number().int(),
  /** The sender's words to them. */
  words: z.string(),
  quotation: sharedQuotation.nullable(),
  cases: z.array(publicCase.omit({ site_id: true, bc_id: true })),
  sites: z.array(nearSite),
  package: sharedPackage.nullable(),
})
export type SharePage = z.output<typeof sharePage>
