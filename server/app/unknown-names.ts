import { z } from 'zod'

/** Fields that every record of the spec's client carries; wherever they come along they mean nothing. */
const GENERIC: ReadonlySet<string> = new Set([
  'createTime',
  'updateTime',
  'creator',
  'updater',
  'deleted',
  'pageNo',
  'pageSize',
  'tenantId',
])

/**
 * What a caller names and a call does not know. Lines inside of a document are not looked into: whoever changes one
 * sends it back as it was read, with what is worked out of it.
 */
export function unknownNames(schema: z.ZodType, value: unknown): string[] {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return []
  return Object.keys(value).filter((name) => !Object.hasOwn(schema.shape, name) && !GENERIC.has(name))
}
