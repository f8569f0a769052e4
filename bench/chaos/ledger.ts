import type { Families } from '../../simulator/families.ts'

/** A living process has stored an answer long before. */
const COMMIT_MS = 2_000

/** Refresh tokens that the provider was shown, each with the moments at which it was. A token stands for one expiry: it is used up by the renewal. */
export class Ledger {
  readonly #shown = new Map<string, number[]>()

  /** Writes down what is traded from now on. */
  watch(families: Families): void {
    const trade = families.trade.bind(families)
    families.trade = (token, rotates) => {
      const at = this.#shown.get(token ?? '')
      if (at) at.push(performance.now())
      else this.#shown.set(token ?? '', [performance.now()])
      return trade(token, rotates)
    }
  }

  /**
   * `lost`: a token was shown a second time, and just after the first a process was killed, so the answer was lost with it. `unexplained`: nobody was killed.
   */
  figures(killedAt: readonly number[]): { expiries: number, requests: number, lost: number, unexplained: number } {
    const figures = { expiries: this.#shown.size, requests: 0, lost: 0, unexplained: 0 }
    for (const at of this.#shown.values()) {
      figures.requests += at.length
      at.slice(1).forEach((second, i) => figures[killedAt.some((kill) => kill >= (at[i] ?? 0) && kill <= Math.min(second, (at[i] ?? 0) + COMMIT_MS)) ? 'lost' : 'unexplained']++)
    }
    return figures
  }
}
