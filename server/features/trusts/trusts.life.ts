import { follows } from '../../kit/site-life.ts'

export const trustsLife = follows('alarm_trusts', 'alarm_pairs')
