import { follows } from '../../kit/site-life.ts'

export const videoLife = follows('video_views')
