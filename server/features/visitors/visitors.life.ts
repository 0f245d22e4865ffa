import { follows } from '../../kit/site-life.ts'

export const visitorsLife = follows('visits')
