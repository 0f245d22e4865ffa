import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { consentRow, consentState } from '../consents/consents.record.ts'
import { contactRelation } from '../owners/owners.record.ts'
import { siteStage } from '../sites/sites.record.ts'
import { workerType } from '../workers/trades.record.ts'

export const caseState = defineCodes('caseState', '案例状态', {
  candidate: ['candidate', '待征求'],
  asked: ['asked', '等业主答复'],
  consented: ['consented', '已同意'],
  published: ['published', '已上架'],
  refused: ['refused', '业主不同意'],
  expired: ['expired', '授权到期'],
  withdrawn: ['withdrawn', '已撤回'],
})
export type CaseState = (typeof caseState.values)[number]
/** Nothing is shown of it any more, to nobody; another one of the same home may begin. */
export const isCaseOver = (state: CaseState): boolean =>
  state === caseState.code.refused || state === caseState.code.expired || state === caseState.code.withdrawn
/** The parts of a home that may be shown; what is not agreed to is left out of every answer. */
export const caseScope = defineCodes('caseScope', '公开内容', {
  photos: ['photos', '照片'],
  live: ['live', '直播'],
  community: ['community', '小区'],
  layout: ['layout', '户型面积'],
  price: ['price', '造价区间'],
  praise: ['praise', '评价'],
})
export type CaseScope = (typeof caseScope.values)[number]
/** The places where it may be shown. */
export const caseWhere = defineCodes('caseWhere', '公开场合', {
  screen: ['screen', '门店屏幕'],
  store: ['store', '店内展示'],
  link: ['link', '链接分享'],
})
export type CaseWhere = (typeof caseWhere.values)[number]
/** A reason that keeps a case from being shown. */
export const caseLack = defineCodes('caseLack', '还差', {
  masks: ['masks', '照片处理'],
  consent: ['consent', '业主同意'],
})
export type CaseLack = (typeof caseLack.values)[number]
export const casePictureState = defineCodes('casePictureState', '案例照片', {
  raw: ['raw', '待打码'],
  masked: ['masked', '待放行'],
  released: ['released', '已放行'],
  pulled: ['pulled', '已撤下'],
})
/** Lines of a case's ledger. */
export const caseAct = defineCodes('caseAct', '案例记录', {
  propose: ['propose', '生成'],
  edit: ['edit', '编辑图文'],
  ask: ['ask', '征求业主同意'],
  agree: ['agree', '同意'],
  refuse: ['refuse', '不同意'],
  withdraw: ['withdraw', '撤回同意'],
  unobject: ['unobject', '不再反对'],
  revise: ['revise', '收回征求，重新修改'],
  publish: ['publish', '上架'],
  takeDown: ['takeDown', '下架'],
  expire: ['expire', '授权到期'],
  end: ['end', '结束'],
  mask: ['mask', '打码'],
  zones: ['zones', '设定机位固定遮挡'],
  release: ['release', '放行照片'],
  pull: ['pull', '撤下照片'],
})

/** The most for one case. */
export const MOST_PICTURES = 30
export const MOST_MASKS = 40
/** The most for one camera. */
export const MOST_ZONES = 10
/** Edges of a rectangle are in ten-thousandths of the picture as it is shown. */
export const MASK_UNIT = 10_000
/** Words of the version that people of a home agree to; whoever changes them raises it. */
export const CASE_WORDING = '2026-11'
/** A case is agreed to for so many days at most. */
export const MOST_DAYS = 1_095

const edge = z.number().int().min(0).max(MASK_UNIT)
/** A rectangle over what nobody is to see. */
export const caseMask = z
  .object({ x: edge, y: edge, w: edge.min(20), h: edge.min(20) })
  .refine((m) => m.x + m.w <= MASK_UNIT && m.y + m.h <= MASK_UNIT, { error: '打码的框要在照片里面' })
export type CaseMask = z.output<typeof caseMask>
/** Less than a quarter of an edge is no picture of a home. */
const LEAST_CROP = MASK_UNIT / 4
export const caseCrop = caseMask.refine((m) => m.w >= LEAST_CROP && m.h >= LEAST_CROP, {
  error: '裁剪后剩得太少，请留大一些',
})

/** A picture that is public, or asked about: nothing but the rendition with its masks burnt in. */
export const publicPicture = z.object({
  /** Opens by the door of whoever shows the case, and by no other. */
  key: z.string(),
  stage: siteStage.schema.nullable(),
  day: z.string(),
  /** Pictures of one camera have the same number: the first and the last compare. */
  pair: z.number().int().nullable(),
})
export type PublicPicture = z.output<typeof publicPicture>

/** All that anybody outside is told of a home: no address, no number of a house, no name, no exact price. */
export const publicCase = z.object({
  id: z.string(),
  site_id: z.string(),
  bc_id: z.string(),
  title: z.string(),
  words: z.string(),
  style: z.string(),
  /** By 户型面积; null where that is not agreed to. */
  layout: z.string().nullable(),
  areaRange: z.string().nullable(),
  priceRange: z.string().nullable(),
  community: z.string().nullable(),
  /** The days of work, from the first to the last, or up to today where it goes on. */
  days: z.number().int().nullable(),
  finished: z.boolean(),
  stages: z.array(z.object({ name: siteStage.schema, from: z.string(), to: z.string().nullable() })),
  pictures: z.array(publicPicture),
  /** Keys of those that are a film: one a day of one camera at one hour; empty where they are too few. */
  film: z.array(z.string()),
  praise: z.string().nullable(),
  team: z.array(z.object({ trade: workerType.schema, surname: z.string() })),
  until: z.string(),
})
export type PublicCase = z.output<typeof publicCase>

export const caseRow = z.object({
  id: z.string(),
  title: z.string(),
  state: caseState.schema,
  cover: z.string().nullable(),
  site_id: z.string(),
  siteName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  style: z.string(),
  layout: z.string(),
  area: z.string().nullable(),
  priceRange: z.string().nullable(),
  until: z.string().nullable(),
  /** Days left of what was agreed to; null where nothing is in force. */
  daysLeft: z.number().int().nullable(),
  raw: z.number().int(),
  masked: z.number().int(),
  released: z.number().int(),
  /** What has to be done before it can be shown, in words; empty where nothing has. */
  missing: z.string(),
  places: z.array(caseWhere.schema),
  scope: z.array(caseScope.schema),
  /** The number of times strangers have opened a link that shows it. */
  openings: z.number().int(),
  changedAt: z.number().int(),
  version: z.number().int(),
})
export type CaseRow = z.output<typeof caseRow>

export const casePicture = z.object({
  id: z.string(),
  /** The picture of the site; shown to who sees the site, and never outside. */
  source: z.string(),
  rendition: z.string().nullable(),
  state: casePictureState.schema,
  stage: siteStage.schema.nullable(),
  day: z.string(),
  camera: z.string(),
  turn: z.number().int(),
  masks: z.array(caseMask),
  /** What is left of it; nothing where it is all of it. */
  crop: caseMask.nullable(),
  /** What its camera never shows, as long as it looks the same way: burnt in beside whatever is drawn. */
  fixed: z.array(caseMask),
  /** Zones of its camera are of another view: it was moved since. */
  moved: z.boolean(),
  /** Rectangles of the newest other picture of this camera: a proposal, nothing that counts by itself. */
  proposed: z.array(caseMask),
  maskedBy: z.string(),
  masked_by: z.string().nullable(),
  releasedBy: z.string(),
  /** Whether the people of the home were shown exactly this rendition. */
  agreed: z.boolean(),
  version: z.number().int(),
})
export type CasePicture = z.output<typeof casePicture>

export const caseDetail = caseRow.extend({
  words: z.string(),
  askedBy: z.string(),
  askedAt: z.number().int().nullable(),
  /** What would be public, as its people are shown it. */
  preview: publicCase,
  pictures: z.array(casePicture),
  contacts: z.array(
    z.object({ id: z.string(), name: z.string(), relation: contactRelation.schema, signatory: z.boolean() }),
  ),
  /** Every answer about this home's cases, the newest first. */
  answers: z.array(consentRow.extend({ name: z.string() })),
  log: z.array(z.object({ at: z.number().int(), actor: z.string(), act: caseAct.schema, text: z.string() })),
})
export type CaseDetail = z.output<typeof caseDetail>

/** A site that proposes itself, and what speaks for it. */
export const caseProposal = z.object({
  site_id: z.string(),
  siteName: z.string(),
  bc_name: z.string(),
  pictures: z.number().int(),
  /** Cameras that have looked at it on more than one day. */
  pairs: z.number().int(),
  /** Per cent of its verdicts that were not poor; null where they are too few. */
  tidy: z.number().int().nullable(),
  tidyOf: z.number().int(),
  /** Finished, or still to be, by the day that was planned; null where none was. */
  onTime: z.boolean().nullable(),
  praises: z.number().int(),
  style: z.string(),
  layout: z.string(),
})
export type CaseProposal = z.output<typeof caseProposal>
/** Of fewer verdicts nothing is said of how tidy a site is. */
export const LEAST_VERDICTS = 5

/** A picture of a site that could be taken into its case. */
export const casePossible = z.object({
  key: z.string(),
  at: z.number().int(),
  day: z.string(),
  stage: siteStage.schema.nullable(),
  camera: z.string(),
})

/** What somebody of a home reads of a case: exactly what would be public, and what they said. */
export const homeCase = z.object({
  id: z.string(),
  state: caseState.schema,
  scope: z.array(caseScope.schema),
  places: z.array(caseWhere.schema),
  shown: publicCase,
  askedBy: z.string(),
  mine: consentState.schema.nullable(),
  /** Only whose name the contract bears says yes for the home; anybody of it says no. */
  signatory: z.boolean(),
  mayAnswer: z.boolean(),
  mayWithdraw: z.boolean(),
  wording: z.string(),
  version: z.number().int(),
})
export type HomeCase = z.output<typeof homeCase>

/** A public case on the showroom's page. */
export const fieldCase = publicCase.extend({
  bc_name: z.string(),
  /** The caller may open the site itself. */
  inReach: z.boolean(),
})
export type FieldCase = z.output<typeof fieldCase>

export const caseLog = logged('案例', {
  title: ['标题', 'personal'],
  site_id: ['工地', 'site'],
  state: ['状态', caseState],
  words: ['文字', 'personal'],
  scope: ['公开内容', caseScope],
  places: ['公开场合', caseWhere],
  until: '授权到',
  person: ['联系人', 'personal'],
  answer: ['答复', consentState],
  answeredOn: '答复日期',
  proof: '凭证',
  pictures: '照片张数',
  masks: '打码处数',
  picture: ['照片', casePictureState],
})
