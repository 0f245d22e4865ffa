/** `l` is the time of somebody who led the site `site` at `moment`, in a statement whose tenant is $1. */
export const ledThen = (site: string, moment: string, l = 'l'): string =>
  `${l}.tenant_id = $1 AND ${l}.of_site = ${site} AND ${l}.from_at <= ${moment}
         AND (${l}.to_at IS NULL OR ${l}.to_at > ${moment})`
