import { useQuery } from '@tanstack/react-query'
import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import type { SiteDetail } from '@zhuguan/contract/features/sites/sites.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'

import { call } from '../../kit/api.ts'
import { Fact } from '../../kit/Facts.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { useLive } from '../../kit/live.ts'
import { useMayReach } from '../../parts/session.ts'

/** The site's contract: its number for everybody, what it comes to for who may open it. */
export function SiteContract({ site }: { site: SiteDetail }) {
  const may = useMayReach('ContractDetail')
  const { data, refetch } = useQuery({
    queryKey: [contractsApi.list.path, 'of', site.id],
    enabled: may,
    queryFn: ({ signal }) => call(contractsApi.list, { query: { site_id: site.id } }, signal),
  })
  useLive(['contract'], () => refetch(), { only: (e) => e.site_id === site.id })
  const contract = data?.list[0]
  if (contract)
    return (
      <Fact name="合同" whole>
        <LinkTo page="ContractDetail" query={{ id: contract.id }}>
          {contract.code}
        </LinkTo>{' '}
        合同额 {grouped(contract.total)} 元，已收 {grouped(contract.paid)}
        {contract.changes > 0 && `，变更 ${contract.changes} 次`}
        {contract.state !== contractState.code.live && `（${contractState.label(contract.state)}）`}
      </Fact>
    )
  if (site.contract) return <Fact name="合同">{site.contract}</Fact>
  return site.outsideContract ? <Fact name="合同">{`合同外：${site.outsideContract}`}</Fact> : null
}
