/** Everything that the score of a tool consists of; the signals add up to it. */
export const SIGNALS = [
  'words',
  'name',
  'verb',
  'command',
  'application',
  'meaning',
  'similarity',
  'curated',
  'connected',
  'used',
  'depth',
  'unrated',
  'repeated',
  'needed',
] as const
export type SignalName = (typeof SIGNALS)[number]
export type Signals = Readonly<Partial<Record<SignalName, number>>>

const WIDTH = SIGNALS.length
const COLUMN = Object.fromEntries(SIGNALS.map((name, column) => [name, column])) as Record<SignalName, number>
const ROWS_AT_FIRST = 1_024

/**
 * The signals of the tools that a search compares, a row of numbers each. A search rates up to a few thousand tools,
 * and an object for each took a third of its time.
 */
export class SignalTable {
  #values = new Float64Array(ROWS_AT_FIRST * WIDTH)
  #rows = 0

  /** Removes all rows, for the next search. */
  clear(): void {
    this.#rows = 0
  }

  /** Adds a row in which every signal is 0, and returns its number. */
  add(): number {
    const row = this.#rows++
    const end = this.#rows * WIDTH
    if (end > this.#values.length) {
      const larger = new Float64Array(this.#values.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values.fill(0, row * WIDTH, end)
    return row
  }

  set(row: number, signal: SignalName, value: number): void {
    this.#values[row * WIDTH + COLUMN[signal]] = value
  }

  /** Returns the score that the signals of a row add up to. */
  sum(row: number): number {
    const values = this.#values
    let sum = 0
    for (let at = row * WIDTH, end = at + WIDTH; at < end; at++) sum += values[at]!
    return sum
  }

  /** Adds a row for a tool that counts in part for the whole request and in part for one of its steps. */
  mix(one: number, share: number, other: number, otherShare: number): number {
    const row = this.add()
    const values = this.#values
    for (let column = 0; column < WIDTH; column++)
      values[row * WIDTH + column] =
        values[one * WIDTH + column]! * share + values[other * WIDTH + column]! * otherShare
    return row
  }

  /** Returns the signals of a row by their names. */
  signalsOf(row: number): Signals {
    return Object.fromEntries(SIGNALS.map((name, column) => [name, this.#values[row * WIDTH + column]!]))
  }
}
