/** Who is told that they ask too much at once asks again, as browsers do; answers the data. */
export async function patiently<T>(ask: () => Promise<{ code: number; msg: string; data: T }>): Promise<T> {
  for (;;) {
    const { code, msg, data } = await ask()
    if (code === 200) return data
    if (code !== 429) throw new Error(`${code} ${msg}`)
  }
}
