import { isForgotten } from '@zhuguan/contract/features/persons/persons.record.ts'

import { refuse } from '../../kit/refuse.ts'

/** Refuses whatever would write a person back, or make something of them, who asked to be forgotten. */
export const unlessForgotten = (name: string): void =>
  refuse(
    isForgotten(name)
      ? '这个人已按本人要求删除或限制处理，不能再登记；本人重新提供资料的，请另外新增'
      : undefined,
  )
