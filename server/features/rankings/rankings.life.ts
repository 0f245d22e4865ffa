import { follows } from '../../kit/site-life.ts'

export const rankingsLife = follows('site_ranks')
