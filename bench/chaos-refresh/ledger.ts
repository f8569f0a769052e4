import type { Provider } from '../../simulation/providers/provider.ts'
import { PROCESS_HEADER } from './program.ts'

/** A refresh token was shown: when, and by which process. */
interface Showing {
  at: number
  by: string
}

export interface Figures {
  /** A refresh token stands for one expiry: it is used up by the token refresh. */
  expiries: number
  requests: number
  /**
   * Shown again after the process that had shown it before was killed: what the provider had answered was
   * lost with it.
   */
  lost: number
  /** Shown again although the process that had shown it before lives. */
  unexplained: number
  /** Of those, who and when. */
  about: string[]
}

const ABOUT_MAX = 10

/** Refresh tokens that the provider was shown, each with all its showings. */
export class Ledger {
  readonly #uses = new Map<string, Showing[]>()

  /** Writes down what is traded from now on. */
  watch(provider: Provider): void {
    const { families } = provider
    const [handle, trade] = [provider.handle.bind(provider), families.trade.bind(families)]
    let by = ''
    provider.handle = (request) => {
      by = request.headers[PROCESS_HEADER] ?? ''
      return handle(request)
    }
    families.trade = (token, rotates) => {
      const showings = this.#uses.get(token ?? '') ?? []
      this.#uses.set(token ?? '', [...showings, { at: performance.now(), by }])
      return trade(token, rotates)
    }
  }

  figures(killedAt: ReadonlyMap<string, number>): Figures {
    const figures: Figures = { expiries: this.#uses.size, requests: 0, lost: 0, unexplained: 0, about: [] }
    for (const showings of this.#uses.values()) {
      figures.requests += showings.length
      for (const [i, { at, by }] of showings.slice(1).entries()) {
        const before = showings[i] as Showing
        if ((killedAt.get(before.by) ?? Infinity) <= at) {
          figures.lost++
          continue
        }
        figures.unexplained++
        if (figures.about.length < ABOUT_MAX)
          figures.about.push(
            `${before.by} asked, and ${(at - before.at).toFixed(0)} ms later ` +
              `${by === before.by ? 'the same process' : by}`,
          )
      }
    }
    return figures
  }
}
