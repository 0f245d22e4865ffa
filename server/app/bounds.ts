import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { PAGE_SIZE } from '@zhuguan/contract/kit/paging.ts'

import { type Bound, bound } from '../kit/bound.ts'

const UNPROVED = {
  atOnce: 200,
  each: 24,
  waiting: 400,
  eachWaiting: 100,
  waitMs: 4_000,
  full: '服务器正忙，请稍后重发',
  yours: '从这个网络地址同时上报太多，请稍后重发',
}
const UNPROVED_FILE = {
  atOnce: 12,
  each: 4,
  waiting: 60,
  eachWaiting: 20,
  waitMs: 4_000,
  full: '服务器正忙，请稍后重传',
  yours: '从这个网络地址同时上传太多，请稍后重传',
  after: 2,
}

/**
 * The classes of work. Each has its own room and its own queue, so that what one of them cannot do is refused there, in
 * a sentence that names it, and the others go on (docs/decisions/0102). Keys: a person's id, an address, a device.
 */
export const bounds = () => ({
  /** Hashing a password takes a thread for 50 ms; one is left for files. By address. */
  signIn: bound({
    name: 'signIn',
    atOnce: 3,
    each: 2,
    waiting: 60,
    eachWaiting: 30,
    waitMs: 4_000,
    full: '正在登录的人太多，请过几秒再试',
    yours: '从这个网络地址登录的人太多，请过几秒再试',
    after: 3,
  }),
  /** The company's own sign-in, which may answer slowly or never. By address. */
  provider: bound({
    name: 'provider',
    atOnce: 8,
    each: 4,
    full: '正在用企业账号登录的人太多，请过几秒再试，或用账号密码登录',
    yours: '从这个网络地址用企业账号登录的人太多，请过几秒再试，或用账号密码登录',
    after: 5,
  }),
  /** Whose token or serial number is not in memory is looked up in the database. By address. */
  strangers: bound({
    name: 'strangers',
    atOnce: 4,
    each: 2,
    waiting: 2_000,
    eachWaiting: 1_000,
    waitMs: 4_000,
    full: '同时登录的人太多，请稍后再试',
    yours: '从这个网络地址来的请求太多，请稍后再试',
    after: 2,
  }),
  /**
   * What needs no sign-in and is not one: by address. What is sent to a group of customers is opened by all of them in
   * the same minute, and a telephone network shows many of them as one address.
   */
  anonymous: bound({
    name: 'anonymous',
    atOnce: 40,
    each: 20,
    waiting: 600,
    eachWaiting: 300,
    waitMs: 4_000,
    full: '访问的人太多，请稍后再试',
    yours: '从这个网络地址来的请求太多，请稍后再试',
  }),
  /** Walls that ask what to paint: two hundred of them slow nobody down, and nobody slows them. By address. */
  screen: bound({
    name: 'screen',
    atOnce: 12,
    each: 8,
    waiting: 400,
    eachWaiting: 300,
    waitMs: 4_000,
    full: '同时取画面的屏幕太多，请稍后再试',
    yours: '从这个网络地址取画面的屏幕太多，请稍后再试',
    after: 5,
  }),
  /** From a person's first byte to the last: what one person has under way. */
  person: bound({
    name: 'person',
    atOnce: 5_000,
    each: 250,
    full: '同时操作的人太多，请稍后再试',
    yours: '您同时发出的请求太多，请等前面的完成再试',
  }),
  people: bound({
    name: 'people',
    atOnce: 64,
    each: 8,
    waiting: 400,
    eachWaiting: 250,
    waitMs: 3_000,
    full: '同时操作的人太多，请稍后再试',
    yours: '您同时发出的请求太多，请等前面的完成再试',
  }),
  /**
   * Figures of a whole span, pages far behind the first, the proof of the log: each takes a core of the database for as
   * long as it lasts, so one a person and few at once.
   */
  heavy: bound({
    name: 'heavy',
    atOnce: 2,
    each: 1,
    waiting: 60,
    eachWaiting: 12,
    waitMs: 20_000,
    full: '正在统计的人太多，请稍后再试',
    yours: '您的上一个统计（或翻到很后面的一页）还没有完成，请等它完成再试',
    after: 5,
  }),
  /** Photos and workbooks that arrive, eight megabytes each: who sends slowly keeps nobody from what is done with them. */
  sending: bound({
    name: 'sending',
    atOnce: 48,
    each: 4,
    waiting: 40,
    eachWaiting: 8,
    waitMs: 5_000,
    full: '正在上传的人太多，请稍后再试',
    yours: '您正在上传的文件太多，请等前面的传完再试',
    after: 3,
  }),
  /** Photos of people without an account, one megabyte each: by the link that was looked at before the first byte. */
  strangerFile: bound({
    name: 'strangerFile',
    atOnce: 24,
    each: 4,
    waiting: 20,
    eachWaiting: 8,
    waitMs: 5_000,
    full: '正在上传的人太多，请稍后再试',
    yours: '从这个链接上传的照片太多，请等前面的传完再试',
    after: 3,
  }),
  /** Reading and turning a picture, once it is there. */
  upload: bound({
    name: 'upload',
    atOnce: 12,
    each: 4,
    waiting: 40,
    eachWaiting: 8,
    waitMs: 5_000,
    full: '正在上传照片的人太多，请稍后再试',
    yours: '您正在上传的照片太多，请等前面的传完再试',
    after: 3,
  }),
  import: bound({
    name: 'import',
    atOnce: 3,
    each: 1,
    waiting: 12,
    eachWaiting: 2,
    waitMs: 10_000,
    full: '正在导入的人太多，请稍后再试',
    yours: '您的上一步导入还没有完成，请稍后再试',
    after: 5,
  }),
  export: bound({
    name: 'export',
    atOnce: 4,
    each: 2,
    full: '正在导出的人太多，请等一两分钟再试',
    yours: '您已有 2 个导出正在进行，请等它们完成再试',
    after: 15,
  }),
  /**
   * Bodies whose sender is not proved before they are there: devices and carriers that do not say their digest first.
   * By address; what they sent is then worked on in the class of whoever proved to be.
   */
  unproved: bound({ name: 'unproved', ...UNPROVED }),
  /** The same from networks where one of them proved itself before: who is elsewhere takes none of these. */
  heard: bound({ name: 'heard', ...UNPROVED }),
  /** The same two for pictures and clips, eight megabytes each. */
  unprovedFile: bound({ name: 'unprovedFile', ...UNPROVED_FILE }),
  heardFile: bound({ name: 'heardFile', ...UNPROVED_FILE }),
  /** By device that proved to be; what it sends is held in memory until it is filed. */
  device: bound({
    name: 'device',
    atOnce: 400,
    each: 32,
    full: '服务器正忙，请稍后重发',
    yours: '这台设备同时上报太多，请稍后重发',
  }),
  /** Pictures and clips: eight megabytes each. */
  deviceFile: bound({
    name: 'deviceFile',
    atOnce: 16,
    each: 2,
    waiting: 100,
    eachWaiting: 4,
    waitMs: 4_000,
    full: '服务器正忙，请稍后重传',
    yours: '这台设备同时上传太多，请稍后重传',
    after: 2,
  }),
})
export type Bounds = ReturnType<typeof bounds>

/** Behind so many rows a page is walked to for as long as figures are summed. */
const FAR_ROWS = 5_000
const isFar = (query: unknown): boolean => {
  const { pageNo, pageSize } = (query ?? {}) as { pageNo?: unknown; pageSize?: unknown }
  return Number(pageNo) * (Number(pageSize) || PAGE_SIZE) > FAR_ROWS
}
/** The class that a call belongs to. */
export function boundOf(all: Bounds, endpoint: Endpoint, query: unknown): Bound {
  if (endpoint.work && endpoint.work !== 'stream') return all[endpoint.work]
  if (endpoint.access !== 'public' && isFar(query)) return all.heavy
  return endpoint.access === 'public' ? all.anonymous : all.people
}
