/** The origins an address template leads to: `https://t{1-3}.example.com/{z}` → three of them. */
export function originsOf(template: string): string[] {
  const some = /\{(\d)-(\d)\}/.exec(template)
  const hosts = some
    ? Array.from({ length: Number(some[2]) - Number(some[1]) + 1 }, (_, i) =>
        template.replace(some[0], String(Number(some[1]) + i)),
      )
    : [template]
  return [...new Set(hosts.map((h) => new URL(h.replace(/\{\w+\}/g, '0')).origin))]
}
