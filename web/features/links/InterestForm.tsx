import { sharePageApi } from '@zhuguan/contract/features/shares/share-page.api.ts'
import { SHARE_NOTICE } from '@zhuguan/contract/features/shares/share-page.record.ts'

import { call } from '../../kit/api.ts'
import type { Bearer } from './bearer.ts'
import { NumberForm } from './NumberForm.tsx'
import { useAct } from './useAct.ts'

/** Somebody wants to hear more: a name, a number, and that they agree to be called. */
export default function InterestForm({ bearer, maker }: { bearer: Bearer; maker: string }) {
  const { actOf } = useAct()
  return (
    <NumberForm
      titles={{ name: '怎么称呼您', phone: '电话' }}
      notice={SHARE_NOTICE.words}
      unagreed="请先勾选同意，我们才能联系您"
      button="请联系我"
      sent={`收到了，${maker}会尽快联系您。`}
      send={(name, phone) =>
        call(sharePageApi.interest, {
          body: { ...bearer, act: actOf(name, phone), name, phone, agreed: true },
        })
      }
    />
  )
}
