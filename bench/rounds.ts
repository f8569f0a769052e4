import { type Figures, load, type Load } from './execute/callers.ts'
import { median } from './figures.ts'

/** A program that is measured: how it is called, and the processor time that each of its processes has used, in ms. */
export interface Contender {
  name: string
  load: Load
  processes: Readonly<Record<string, () => number>>
}

/** What one round of one contender measured. `us`: processor time of each process for one call. */
export interface Round extends Figures {
  us: Record<string, number>
}

const WARM_UP_SECONDS_MIN = 10
const WARM_UP_SECONDS_MAX = 60
/** Contenders are warm when so many slices of a second in a row cost the same, up to the tolerance. */
const STABLE_SLICES = 4
const TOLERANCE = 0.1

/**
 * Calls a contender until its processor time for one call is stable: a cold program pays for compilation. Throughput
 * would also be stable then, unless other programs use the machine. Returns the seconds that it took.
 */
export async function warmUp({ load: warming, processes }: Contender): Promise<number> {
  const costs: number[] = []
  for (let seconds = 1; ; seconds++) {
    costs.push(totalUs(await run({ load: { ...warming, seconds: 1 }, processes })))
    const latest = costs.slice(-STABLE_SLICES)
    const isStable = Math.max(...latest) <= Math.min(...latest) * (1 + TOLERANCE)
    if ((seconds >= WARM_UP_SECONDS_MIN && isStable) || seconds >= WARM_UP_SECONDS_MAX) return seconds
  }
}

/**
 * Runs the contenders in turn, so that what else the machine does meets all of them. Every second round has the
 * opposite order: the contender after the forwarder takes up to a tenth more processor time, whichever program it is.
 * Returns the rounds of each.
 */
export async function alternate(contenders: readonly Contender[], rounds: number): Promise<Round[][]> {
  const measured: Round[][] = contenders.map(() => [])
  for (let round = 0; round < rounds; round++) {
    const order = [...contenders.entries()]
    if (round % 2 === 1) order.reverse()
    for (const [index, contender] of order) measured[index]?.push(await run(contender))
  }
  return measured
}

async function run({ load: sent, processes }: Omit<Contender, 'name'>): Promise<Round> {
  const clocks = Object.entries(processes)
  const before = clocks.map(([, read]) => read())
  const figures = await load(sent)
  const us = clocks.map(([name, read], index): [string, number] => [
    name,
    ((read() - (before[index] as number)) * 1_000) / figures.calls,
  ])
  return { ...figures, us: Object.fromEntries(us) }
}

const totalUs = ({ us }: Round): number => Object.values(us).reduce((sum, one) => sum + one, 0)

/** Returns the median of a figure over the rounds of a contender. */
export const medianOf = (rounds: readonly Round[], read: (round: Round) => number): number =>
  median(rounds.map(read))

/** Returns the median of what each pair of rounds, next to each other in time, compares. */
export const medianOfPairs = (
  first: readonly Round[],
  second: readonly Round[],
  compare: (first: Round, second: Round) => number,
): number => median(first.map((one, index) => compare(one, second[index] as Round)))
