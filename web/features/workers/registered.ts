/** The person who wrote it down; what was taken over with the entry of the worker names that instead. */
export const registered = (by: string): string => (by.endsWith('登记') ? by : `${by} 登记`)
