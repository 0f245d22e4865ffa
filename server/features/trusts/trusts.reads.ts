import { trustState } from '@zhuguan/contract/features/trusts/trusts.record.ts'

const { alwaysReview, review } = trustState.code

/** Whether nobody is told of a new alarm of this camera, site and type; inside a statement, each by its placeholder. */
export const isQuiet = (tenant: string, device: string, site: string, type: string): string =>
  `EXISTS (SELECT 1 FROM alarm_pairs p
     WHERE p.tenant_id = ${tenant} AND p.device_id = ${device} AND p.site_id = ${site} AND p.type = ${type}
       AND p.state IN ('${review}', '${alwaysReview}'))`
