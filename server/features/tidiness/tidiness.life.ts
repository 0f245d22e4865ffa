import { follows } from '../../kit/site-life.ts'

export const tidinessLife = follows('tidiness_checks')
