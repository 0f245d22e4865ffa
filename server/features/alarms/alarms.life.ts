import { follows, type SiteLife } from '../../kit/site-life.ts'

/** What is open of them is said by their corrections. */
export const alarmsLife: SiteLife = follows('alarms')
