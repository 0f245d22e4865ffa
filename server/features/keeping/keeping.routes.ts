import { keepingApi } from '@zhuguan/contract/features/keeping/keeping.api.ts'

import { serve } from '../../kit/serve.ts'
import { foresee, type Going, type KeptKind, kindsOf } from './keeping.service.ts'
import { registerOf, sendRegister } from './register.service.ts'

export const keepingFeature = ({ kinds, going }: { kinds: readonly KeptKind[]; going: Going }) =>
  serve(keepingApi, {
    kinds: ({ body }, call) => call.read((tx) => kindsOf(tx, call, body.bcId, kinds)),
    foresee: ({ body }, call) => call.read((tx) => foresee(tx, call, body, going)),
    register: ({ query }, call) => call.read((tx) => registerOf(tx, call, query, kinds)),
    export: (_input, call) => sendRegister(call, kinds),
  })
