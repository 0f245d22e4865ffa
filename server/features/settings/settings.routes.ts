import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'

import type { CalendarLife } from '../../kit/calendar-life.ts'
import { serve } from '../../kit/serve.ts'
import { readSettingsOf, updateSettings } from './settings.service.ts'

export const settingsFeature = ({ calendars }: { calendars: readonly CalendarLife[] }) =>
  serve(settingsApi, {
    selectByBcId: ({ body }, call) => call.read((tx) => readSettingsOf(tx, call, body.bcId)),
    update: ({ body }, call) =>
      call.write((tx) => updateSettings(tx, call, { ...body, bc: body.bcId }, calendars)),
  })
