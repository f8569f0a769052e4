import type { CallRecord } from './callers.ts'
import type { Fault } from './faults.ts'

/** Seconds after the failover in which the service must work again. */
const RECOVERY_SECONDS_MAX = 5

/** One change of the primary, and how long each kind of request took until it worked again, in seconds. */
export interface FaultFigures {
  kind: string
  from: string
  to: string
  failoverSeconds: number
  recoverySeconds: Record<string, number>
}

export interface ReceiverFigures {
  name: string
  received: number
  missing: number
  ambiguous: number
  outOfOrder: number
  about: string[]
}

export interface Outcome {
  faults: FaultFigures[]
  calls: { name: string; acknowledged: number; unavailable: number; unexpected: [string, number][] }[]
  /** Acknowledged writes whose row is not in the database at the end. */
  writesLost: number
  /** Acknowledged calls that may have changed something and have no log row. */
  changesNotLogged: number
  /** Acknowledged calls that read and have no log row: their rows are committed asynchronously. */
  readsNotLogged: number
  tokenRefreshes: number
  reuses: number
  grantsLost: number
  events: number
  eventsNotAccepted: number
  isSettled: boolean
  receivers: ReceiverFigures[]
  seconds: number
}

export const holds = (o: Outcome): boolean =>
  o.writesLost + o.changesNotLogged + o.grantsLost + o.eventsNotAccepted === 0 &&
  o.isSettled &&
  o.receivers.every((one) => one.missing + one.ambiguous + one.outOfOrder === 0) &&
  o.calls.every(({ unexpected }) => unexpected.length === 0) &&
  o.faults.every(isInTime)

const isInTime = ({ failoverSeconds, recoverySeconds }: FaultFigures): boolean =>
  Object.values(recoverySeconds).every((seconds) => seconds <= failoverSeconds + RECOVERY_SECONDS_MAX)

/** For each fault, when the first request of each kind succeeded after another node was the primary. */
export function faultFigures(
  faults: readonly Fault[],
  successes: Readonly<Record<string, readonly number[]>>,
): FaultFigures[] {
  return faults.map(({ kind, from, to, atMs, primaryAtMs }) => ({
    kind,
    from,
    to,
    failoverSeconds: (primaryAtMs - atMs) / 1_000,
    recoverySeconds: Object.fromEntries(
      Object.entries(successes).map(([name, times]) => {
        const first = times.find((time) => time > primaryAtMs) ?? Infinity
        return [name, (first - atMs) / 1_000]
      }),
    ),
  }))
}

/** Returns the times of the acknowledged requests of each kind, in order. */
export const timesOf = (records: readonly CallRecord[]): Record<string, number[]> =>
  Object.fromEntries(
    records.map(({ name, acknowledged }) => [
      name,
      acknowledged.map(({ atMs }) => atMs).toSorted((a, b) => a - b),
    ]),
  )

export function table(o: Outcome): string {
  const rows: [string, string | number][] = [
    ...o.faults.map(faultRow),
    ...o.calls.flatMap(({ name, acknowledged, unavailable, unexpected }): [string, string | number][] => [
      [name, `${acknowledged} acknowledged, ${unavailable} responses with 503`],
      ...unexpected.map(([why, count]): [string, string] => ['  unexpected', `${count} times ${why}`]),
    ]),
    ['acknowledged writes lost', o.writesLost],
    ['acknowledged changes without a log row', o.changesNotLogged],
    ['acknowledged reads without a log row', `${o.readsNotLogged} (committed asynchronously)`],
    ['token refreshes', `${o.tokenRefreshes}, ${o.reuses} second uses of a refresh token`],
    ['grants lost', o.grantsLost],
    [
      'events',
      `${o.events}, ${o.eventsNotAccepted} not accepted, all delivered: ${o.isSettled ? 'yes' : 'no'}`,
    ],
    ...o.receivers.flatMap(({ name, received, missing, ambiguous, outOfOrder, about }) => [
      [
        `${name} receiver`,
        `${received} events, ${missing} missing, ${outOfOrder} out of order, ${ambiguous} ambiguous`,
      ] as [string, string],
      ...about.map((text): [string, string] => ['', text]),
    ]),
    ['duration', `${o.seconds.toFixed(0)} s`],
    ['holds', holds(o) ? 'yes' : 'no'],
  ]
  const width = Math.max(...rows.map(([name]) => name.length)) + 3
  return rows.map(([name, value]) => `  ${name.padEnd(width)}${value}`).join('\n')
}

export function faultRow(fault: FaultFigures): [string, string] {
  const recoveries = Object.entries(fault.recoverySeconds)
    .map(([name, seconds]) => `${name} ${seconds.toFixed(1)} s`)
    .join(', ')
  return [
    `${fault.kind} ${fault.from} → ${fault.to}`,
    `failover ${fault.failoverSeconds.toFixed(1)} s; works again: ${recoveries}${isInTime(fault) ? '' : ' (late)'}`,
  ]
}
