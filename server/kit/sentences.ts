import type { z } from 'zod'

/** What a clerk is told of a wrong input, where the contract has no sentence of its own. */
export const sentenceOf: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? '必填' : '格式不正确'
    case 'too_small':
      if (issue.origin === 'string') return Number(issue.minimum) <= 1 ? '必填' : `至少 ${issue.minimum} 个字`
      if (issue.origin === 'array' || issue.origin === 'set')
        return Number(issue.minimum) <= 1 ? '至少选一项' : `至少 ${issue.minimum} 项`
      return issue.inclusive ? `不能小于 ${issue.minimum}` : `应大于 ${issue.minimum}`
    case 'too_big':
      if (issue.origin === 'string') return `最多 ${issue.maximum} 个字`
      if (issue.origin === 'array' || issue.origin === 'set') return `最多 ${issue.maximum} 项`
      return issue.inclusive ? `不能大于 ${issue.maximum}` : `应小于 ${issue.maximum}`
    case 'invalid_value':
      return '不在可选范围内'
    case 'unrecognized_keys':
      return `没有这个字段：${issue.keys.join('、')}`
    case 'not_multiple_of':
      return `应为 ${issue.divisor} 的倍数`
    default:
      return '格式不正确'
  }
}
