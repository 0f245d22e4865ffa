/**
 * In a statement of something else, whose row names a feedback by `ref`: it is kept from `me`, who asks
 * (docs/decisions/0485).
 */
export const keptFrom = (ref: string, me: string): string =>
  `EXISTS (SELECT FROM feedback f WHERE f.tenant_id = $1 AND f.id = ${ref} AND f.hidden_from = ${me}::uuid)`
