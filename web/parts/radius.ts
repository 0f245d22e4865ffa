const KM = 1_000
/** The size of a ring, which is a whole number of one or the other: 500 米, 2 公里. */
export const radiusText = (m: number): string => (m < KM ? `${m} 米` : `${m / KM} 公里`)
