import { Counter, Gauge, type Registry } from 'prom-client'

/** Figures of a register, each brought up to date when it is read. */
export function figureMakers(register: Registry) {
  const registers = [register]
  return {
    gauge: (
      name: string,
      help: string,
      labelNames: string[] = [],
      collect?: (self: Gauge) => unknown,
    ): Gauge =>
      new Gauge({
        name: `zhuguan_${name}`,
        help,
        labelNames,
        registers,
        ...(collect && {
          async collect() {
            await collect(this)
          },
        }),
      }),
    /** A counter only grows: its own keeper knows how far it is, and says so to `add`. */
    counter: (
      name: string,
      help: string,
      now: (add: (n: number, labels?: Record<string, string>) => void) => void,
      labelNames: string[] = [],
    ): Counter =>
      new Counter({
        name: `zhuguan_${name}_total`,
        help,
        labelNames,
        registers,
        collect() {
          this.reset()
          now((n, labels = {}) => this.inc(labels, n))
        },
      }),
  }
}
