import {
  INTRODUCE_NOTICE,
  introducePageApi,
} from '@zhuguan/contract/features/customers/introduce-page.api.ts'

import { call } from '../../kit/api.ts'
import type { Bearer } from './bearer.ts'
import { NumberForm } from './NumberForm.tsx'
import { useAct } from './useAct.ts'

/** A friend leaves their own name and number; whether we knew them is told to nobody. */
export default function OwnerIntroduce({ bearer }: { bearer: Bearer }) {
  const { actOf } = useAct()
  return (
    <section className="owner-card" aria-label="介绍朋友">
      <h2>介绍朋友</h2>
      <p className="owner-meta">请朋友本人在这里留下电话，装修顾问会联系。</p>
      <NumberForm
        titles={{ name: '怎么称呼朋友', phone: '朋友的电话' }}
        notice={INTRODUCE_NOTICE.words}
        unagreed="请先请朋友勾选同意，我们才能联系"
        button="请联系这位朋友"
        sent="收到了，谢谢您的介绍，顾问会尽快联系。"
        send={(name, phone) =>
          call(introducePageApi.introduce, {
            body: { ...bearer, act: actOf(name, phone), name, phone, agreed: true },
          })
        }
      />
    </section>
  )
}
