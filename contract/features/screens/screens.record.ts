import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { companyStatus } from '../companies/companies.record.ts'

/** The person who looks at it; said when it is paired and never afterwards. */
export const screenKind = defineCodes('screenKind', '屏幕类型', {
  public: ['public', '对外'],
  staff: ['staff', '内部'],
})
export type ScreenKind = z.output<typeof screenKind.schema>
export const screenState = defineCodes('screenState', '屏幕状态', {
  paired: ['paired', '在播'],
  silent: ['silent', '没有新画面'],
  revoked: ['revoked', '已收回'],
})
/** A screen that has painted nothing new for so long is silent, whatever its connection says. */
export const SILENT_SECONDS = 60
/** The time for which a code on an unpaired screen is good. */
export const CODE_SECONDS = 600
/** The code that a person types from a wall: no letter looks like another. */
export const PAIR_CODE = /^[A-HJKMNP-Z2-9]{6}$/
/** The address of its scanned code. */
export const pairAddress = (code: string): string => `/#/board/BoardSetting?pair=${code}`
export const CODE_FAULT = '配对码是屏幕上的 6 位字母和数字'

export const screenRow = z.object({
  id: z.string(),
  name: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  store_id: z.string(),
  storeName: z.string(),
  /** A store that is closed takes its screens with it. */
  storeStatus: companyStatus.schema,
  kind: screenKind.schema,
  state: screenState.schema,
  arrangement_id: z.string().nullable(),
  arrangementName: z.string().nullable(),
  width: z.number().int(),
  height: z.number().int(),
  /** The program that it last said it runs. */
  bundle: z.string(),
  /** The screen's own report: the scene, its item, the frames so far, the age of the content. */
  scene: z.string(),
  item: z.string(),
  frames: z.number().int(),
  age: z.number().int(),
  /** Openings of the codes beside its cases. */
  scanned: z.number().int(),
  /** Its last word, and when its frames last moved. */
  saidAt: z.number().int().nullable(),
  movedAt: z.number().int().nullable(),
  pairedBy: z.string(),
  pairedAt: z.number().int(),
  revokedAt: z.number().int().nullable(),
  why: z.string(),
  version: z.number().int(),
})
export type ScreenRow = z.output<typeof screenRow>

/** The browser that shows a code, as it is shown to who types it. */
export const askingBrowser = z.object({
  width: z.number().int(),
  height: z.number().int(),
  browser: z.string(),
  /** The address that it asks from, the end left out, and whether it is the one of who types. */
  place: z.string(),
  near: z.boolean(),
  expiresAt: z.number().int(),
})
export type AskingBrowser = z.output<typeof askingBrowser>

export const screenLog = logged('屏幕', {
  name: '名称',
  store: '门店',
  kind: ['类型', screenKind],
  state: ['状态', screenState],
  arrangement: '编排',
  replaces: '替换原屏',
  size: '尺寸',
  browser: '浏览器',
})
