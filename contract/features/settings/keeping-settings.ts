import { KEPT_DAYS, LEAST_DAYS } from '../keeping/keeping.record.ts'
import { count, setting } from './setting.ts'

/** The days that a branch keeps what it may let go sooner; never longer than the group promised people. */
const kept = (of: keyof typeof LEAST_DAYS, title: string, what: string) =>
  setting({
    group: '保留',
    title,
    what: `${what}；最长 ${KEPT_DAYS[of]} 天，只能缩短，分公司不能比集团长`,
    unit: '天',
    value: count(LEAST_DAYS[of], KEPT_DAYS[of]),
    otherwise: KEPT_DAYS[of],
    input: 'number',
  })
const NEEDED = '留存中、报警没关、投诉和退换补没办结的先不删'

export const KEEPING_SETTINGS = {
  recordingDays: setting({
    group: '保留',
    title: '录像保留',
    what: '录像保留多少天，过期的每天凌晨连文件一起删除；已留存的到留存期满为止；分公司不能比集团长',
    unit: '天',
    value: count(1, 1_095),
    otherwise: 30,
    input: 'number',
  }),
  rawDays: setting({
    group: '保留',
    title: '原始事件保留',
    what: '设备原始上报保留多少天，过期的每天凌晨删除，保留最久的随整月一起删（最多晚一个月）；考勤和报警不受影响；分公司不能比集团长',
    unit: '天',
    value: count(30, 1_095),
    otherwise: 400,
    input: 'number',
  }),
  visitorPictureDays: kept(
    'visitorPictures',
    '陌生人照片保留',
    `陌生人来访的照片保留多少天，过期的每天凌晨删除，来访记录还在；${NEEDED}`,
  ),
  facePictureDays: kept(
    'facePictures',
    '签到照片保留',
    `工人打卡时拍的照片保留多少天，考勤不受影响；${NEEDED}，申诉没裁定的也不删`,
  ),
  lookDays: kept('looks', '查看记录保留', '谁看过哪台摄像头的记录保留多少天；投诉和退换补没办结的先不删'),
  openingDays: kept(
    'openings',
    '链接浏览记录保留',
    '业主、司机和客户打开链接的记录保留多少天；投诉和退换补没办结的先不删',
  ),
  threadDays: kept(
    'threads',
    '业主留言保留',
    '工地完工或终止后，业主互动里的留言保留多少天；已经转为反馈、承诺、决定或到访的随那条记录',
  ),
} as const
/** Days that a branch may shorten: what is older goes in the coming night. */
export const KEPT_SETTINGS: readonly string[] = Object.keys(KEEPING_SETTINGS)
