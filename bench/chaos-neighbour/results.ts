import { quantile } from '../figures.ts'
import type { SteadyFigures } from './steady-caller.ts'

export const RATIO_MAX = 2
/** Of the product in front of this machine's scheduler: below it, a ratio says nothing. */
export const P99_FLOOR_MS = 10

export interface Figures {
  p50_ms: number
  p99_ms: number
  /** The range in which the p99 lies with 95 % probability. */
  p99_range_ms: readonly [number, number]
  failures: number
  /** The delay of the event loop of the caller. */
  client_delay_p99_ms: number
}

export interface Result {
  attack: string
  hostile_per_second: number
  /** The share of hostile calls that had another status than 200. */
  hostile_rejected: number
  alone: Figures
  attacked: Figures
  /** The delay of the event loop of the server during the attack. */
  server_delay_p99_ms: number
  /** Processor time of the longest turn of its event loop. */
  server_longest_ms: number
  /** Its turns of more than 5 ms of processor time, in a second. */
  server_long_turns_per_second: number
  ratio: number
}

/** Returns the figures of all calls of some rounds together. */
export function summarize(rounds: readonly SteadyFigures[]): Figures {
  const times = rounds.flatMap((round) => round.times)
  const error = p99Error(times.length)
  return {
    p50_ms: quantile(times, 0.5),
    p99_ms: quantile(times, 0.99),
    p99_range_ms: [quantile(times, 0.99 - error), quantile(times, 0.99 + error)],
    failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
    client_delay_p99_ms: Math.max(...rounds.map(({ clientDelayP99Ms }) => clientDelayP99Ms)),
  }
}

/** The error of the share of calls that are faster than a measured p99: 1.96 standard deviations. */
const p99Error = (count: number): number => 1.96 * Math.sqrt((0.99 * 0.01) / Math.max(1, count))

const formatP99 = ({ p99_ms: p99, p99_range_ms: [low, high] }: Figures): string =>
  `${p99.toFixed(1).padStart(8)}${`(${low.toFixed(0)}-${high.toFixed(0)})`.padStart(10)}`

/** The first line of the table. */
export const COLUMNS =
  `  ${'attack'.padEnd(28)}${'hostile'.padStart(10)}${'rejected'.padStart(10)}` +
  `${'alone p50'.padStart(11)}${'p99 (range)'.padStart(18)}${'attacked p50'.padStart(14)}` +
  `${'p99 (range)'.padStart(18)}` +
  `${'ratio'.padStart(7)}${'target'.padStart(8)}        ` +
  `${'failures'.padStart(9)}${'longest'.padStart(9)}${'> 5 ms'.padStart(9)}${'delays: server'.padStart(16)}  client`

/** A line of the table. */
export function formatResult(result: Result): string {
  const { attack, alone, attacked, ratio } = result
  return (
    `  ${attack.padEnd(28)}${String(result.hostile_per_second).padStart(8)}/s` +
    `${(result.hostile_rejected * 100).toFixed(0).padStart(8)} %` +
    `${alone.p50_ms.toFixed(1).padStart(11)}${formatP99(alone)}` +
    `${attacked.p50_ms.toFixed(1).padStart(14)}${formatP99(attacked)}` +
    `${ratio.toFixed(2).padStart(7)}${`≤ ${RATIO_MAX}`.padStart(8)} ${ratio <= RATIO_MAX ? 'met   ' : 'missed'}` +
    `${String(attacked.failures).padStart(10)}${result.server_longest_ms.toFixed(1).padStart(9)}` +
    `${result.server_long_turns_per_second.toFixed(1).padStart(7)}/s` +
    `${result.server_delay_p99_ms.toFixed(1).padStart(16)}` +
    `${attacked.client_delay_p99_ms.toFixed(1).padStart(8)}`
  )
}
