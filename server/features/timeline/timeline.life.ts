import { follows } from '../../kit/site-life.ts'

export const timelineLife = follows('site_events')
