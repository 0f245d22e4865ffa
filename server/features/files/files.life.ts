import { follows } from '../../kit/site-life.ts'

export const filesLife = follows('files')
