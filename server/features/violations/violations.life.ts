import { follows } from '../../kit/site-life.ts'

export const violationsLife = follows('violations')
