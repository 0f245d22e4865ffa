import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { type ContractDetail, contractPaper } from '@zhuguan/contract/features/contracts/contracts.record.ts'

import { callForBytes } from '../../kit/api.ts'
import { saveAs } from '../../kit/save.ts'
import { SavePdf } from '../../parts/SavePdf.tsx'

/** The paper that the customer keeps. */
export function ContractPdf({
  of: { id, code },
  paper,
}: {
  of: Pick<ContractDetail, 'id' | 'code'>
  paper: (typeof contractPaper.values)[number]
}) {
  const name = contractPaper.label(paper)
  return (
    <SavePdf
      label={`${name} PDF`}
      save={async () =>
        saveAs(await callForBytes(contractsApi.pdf, { query: { id, paper } }), `${code} ${name}.pdf`)
      }
    />
  )
}
