import { follows } from '../../kit/site-life.ts'

export const recordingsLife = follows('recordings', 'recording_holds')
