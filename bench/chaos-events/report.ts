import type { Seen } from './receiver.ts'

export interface Outcome {
  seed: number
  events: number
  kills: number
  restarts: number
  emittedSeconds: number
  seconds: number
  /** All receivers had all events before the time was up. */
  isSettled: boolean
  /** Webhooks of the application that no server took. */
  untold: number
  /** Webhooks that the application sent again, because no answer came. */
  repeatedByApplication: number
  receivers: (Seen & { missing: number })[]
}

export const holds = ({ isSettled, untold, receivers }: Outcome): boolean =>
  isSettled &&
  untold === 0 &&
  receivers.every(
    ({ missing, ambiguous, outOfOrder }) => missing === 0 && ambiguous === 0 && outOfOrder === 0,
  )

export function table(o: Outcome): string {
  const head: [string, string | number][] = [
    [
      'events',
      `${o.events}, told within ${o.emittedSeconds.toFixed(0)} s, all delivered after ${o.seconds.toFixed(0)} s`,
    ],
    ['processes killed', o.kills],
    ['restarts of PostgreSQL', o.restarts],
    ['webhooks that the application repeated', o.repeatedByApplication],
  ]
  const of = (seen: Outcome['receivers'][number]): [string, string | number][] => [
    [
      `${seen.name} receiver`,
      `${seen.received} events in ${seen.requests} requests, ${seen.rejected} rejected by it`,
    ],
    ['  missing', seen.missing],
    ['  out of order', seen.outOfOrder],
    ['  one event under two ids, or two under one', seen.ambiguous],
    ['  taken again under the same webhook-id', seen.duplicates],
    ...seen.about.map((text): [string, string] => ['', text]),
  ]
  const rows = [...head, ...o.receivers.flatMap(of), ['holds', holds(o) ? 'yes' : 'no'] as [string, string]]
  const width = Math.max(...rows.map(([name]) => name.length)) + 3
  return rows.map(([name, value]) => `  ${name.padEnd(width)}${value}`).join('\n')
}
