import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import {
  deviationWords,
  warningLevel,
  type WarningRow,
  warningRule,
} from '@zhuguan/contract/features/warnings/warnings.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { shanghaiTime } from '../../kit/shanghai.ts'

/** What is said of it on a line. */
export const wordsOf = (w: Pick<WarningRow, 'rule' | 'stage' | 'about' | 'deviation'>): string => {
  const of = [w.stage && siteStage.label(w.stage), w.about && `“${w.about}”`].filter(Boolean).join('')
  return `${of}${warningRule.label(w.rule)}，${deviationWords(w.rule, w.deviation)}`
}
/** The person who moved the day that it was late by. */
export const movedWords = (m: { name: string; at: Date; was: string; is: string }): string =>
  `${m.name} ${shanghaiTime(m.at)} 把计划日期从 ${m.was} 改到 ${m.is}`
/** The same to whoever does not see the site. */
export const sentenceOf = (w: WarningRow): string =>
  `${w.siteName} 预警（${warningLevel.label(w.level)}）：${wordsOf(w)}${w.ballAbout && `，在等：${w.ballAbout}`}`
export const linkOf = (w: Pick<WarningRow, 'id'>) => linkTo('WarningList', { id: w.id })
