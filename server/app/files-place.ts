import { ownBucket } from '../kit/own-bucket.ts'
import { filesFolder, type OwnPlace } from '../kit/own-place.ts'
import type { Settings } from './settings.ts'

/** The place of this installation's pictures, papers and recordings. */
export const filesPlace = ({ dataDir, files }: Pick<Settings, 'dataDir' | 'files'>): OwnPlace =>
  files ? ownBucket(files, dataDir) : filesFolder(dataDir)
