import { join } from 'node:path'

/** The product's folder. This file and the bundle (server/dist) lie equally deep in it, so both find the same. */
export const ROOT = join(import.meta.dirname, '..', '..')
