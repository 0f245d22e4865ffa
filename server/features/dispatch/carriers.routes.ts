import { carriersApi } from '@zhuguan/contract/features/dispatch/carriers.api.ts'

import { type Feature, serve } from '../../kit/serve.ts'
import { addCarrier, listCarriers, renewCarrier, stopCarrier } from './carriers.service.ts'

export const carriersFeature = ({ secretKey }: { secretKey: Buffer }): Feature =>
  serve(carriersApi, {
    list: (_input, call) => listCarriers(call),
    add: ({ body }, call) => addCarrier(call, secretKey, body.name),
    renew: ({ body }, call) => renewCarrier(call, secretKey, body.id),
    stop: ({ body }, call) => stopCarrier(call, body.id),
  })
