import { type Code, defineCodes } from '../../kit/codes.ts'

// Apart from the site's record, since pages on somebody's telephone say these words and ask nothing else of it.
export const siteStatus = defineCodes('siteStatus', '工地状态', {
  building: [1, '在建'],
  notStarted: [2, '未开工'],
  terminated: [3, '合同终止'],
  finished: [4, '已完工'],
})
/** The stages of a renovation, in order (docs/product.md). */
export const siteStage = defineCodes('siteStage', '阶段', {
  briefing: ['briefing', '开工交底'],
  demolition: ['demolition', '拆改'],
  plumbing: ['plumbing', '水电'],
  waterproof: ['waterproof', '防水'],
  tiling: ['tiling', '瓦工'],
  carpentry: ['carpentry', '木工'],
  painting: ['painting', '油工'],
  fitting: ['fitting', '安装'],
  cleaning: ['cleaning', '保洁'],
  handover: ['handover', '竣工验收'],
})

/**
 * The planned end of a site: that of its last stage. Where a stage has no plan yet, it is not before the one that was
 * said of the whole.
 */
export function plannedEndOf(
  stages: readonly { plannedFinish: string | null }[],
  was: string | null,
): string | null {
  const ends = stages.flatMap(({ plannedFinish }) => (plannedFinish ? [plannedFinish] : []))
  const last = ends.toSorted().at(-1) ?? null
  if (was === null || ends.length === stages.length) return last
  return last !== null && last > was ? last : was
}

/** A home's progress, in words for people who know nothing else of it. */
export const stageTold = ({
  stage,
  status,
}: {
  stage: Code<typeof siteStage> | null
  status: number
}): string =>
  status === siteStatus.code.finished ? '已完工' : siteStage.label(stage ?? siteStage.code.briefing)

/** The state of a stage of one site; its days say it. */
export const stageState = defineCodes('stageState', '阶段状态', {
  waiting: [1, '未开始'],
  going: [2, '进行中'],
  accepted: [3, '已验收'],
})
