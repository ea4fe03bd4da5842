import { Counter, type Registry } from 'prom-client'

/** How often something happened, for each combination of labels. */
export interface Totals<Names extends readonly string[]> {
  /** One more, by the values of the labels in their order. */
  add(...values: { readonly [Place in keyof Names]: string }): void
}

export interface TotalsOptions<Names extends readonly string[]> {
  readonly name: string
  readonly help: string
  readonly labelNames: Names
}

/** A counter of Prometheus. To add to it is to add to a number; the library is told when somebody looks. */
export function createTotals<const Names extends readonly string[]>(
  registry: Registry,
  { name, help, labelNames }: TotalsOptions<Names>,
): Totals<Names> {
  const series = new Map<string, { readonly values: readonly string[]; count: number }>()
  new Counter({
    registers: [registry],
    ...{ name, help, labelNames },
    collect() {
      this.reset()
      for (const { values, count } of series.values()) this.labels(...values).inc(count)
    },
  })
  return {
    add(...values) {
      const key = values.join(' ')
      const known = series.get(key)
      if (known === undefined) series.set(key, { values, count: 1 })
      else known.count += 1
    },
  }
}
