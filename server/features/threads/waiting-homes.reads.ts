/** The home `site` waits for an answer of ours. */
export const waits = (site: string): string =>
  `EXISTS (SELECT FROM threads t WHERE t.tenant_id = $1 AND t.site_id = ${site} AND t.waiting_since IS NOT NULL)`
