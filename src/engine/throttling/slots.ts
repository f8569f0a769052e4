import { EgressError } from '../../platform/egress/index.ts'

/** As many as there are connections to one origin. */
const ORIGIN_MAX = 256
/** Calls of one account that wait. Who has more does not wait for an answer, he piles up work. */
const WAITING_MAX = 256

interface Waiter {
  go(): void
}
interface Account {
  most: number
  running: number
  waiting: Waiter[]
}
interface Origin {
  running: number
  accounts: Map<string, Account>
  ring: Account[]
}

/** The call would be one too many of those that wait. */
export class TooManyWaiting extends Error {}

/**
 * Places for requests: so many an account over all servers, so many an origin in this one. When there are none, accounts take turns, so that one with a thousand calls delays
 * another by one request and not by a thousand.
 */
export interface Slots {
  /** Undefined: go at once. @throws TooManyWaiting; rejects with EgressError when the caller leaves or `leftMs` end first */
  enter(
    origin: string,
    account: string,
    most: number,
    signal: AbortSignal,
    leftMs: number,
  ): Promise<void> | undefined
  /** After each request that entered. */
  leave(origin: string, account: string): void
  /** Requests under way and waiting. */
  count(): { running: number; waiting: number }
}

/** @param replicas servers among which the places of an account are divided: together they never have more under way, and no call costs a question to the others */
export function createSlots(originMax = ORIGIN_MAX, replicas: () => number = () => 1): Slots {
  const origins = new Map<string, Origin>()
  const shareOf = (most: number) => Math.max(1, Math.floor(most / replicas()))

  function placeOf(origin: string, account: string, most: number): [Origin, Account] {
    let at = origins.get(origin)
    if (!at) origins.set(origin, (at = { running: 0, accounts: new Map(), ring: [] }))
    let of = at.accounts.get(account)
    if (!of) at.accounts.set(account, (of = { most, running: 0, waiting: [] }))
    return [at, of]
  }

  function forget(origin: string, account: string): void {
    const at = origins.get(origin)
    const of = at?.accounts.get(account)
    if (!at || !of || of.running > 0 || of.waiting.length > 0) return
    at.accounts.delete(account)
    if (at.accounts.size === 0) origins.delete(origin)
  }

  return {
    enter(origin, account, most, signal, leftMs) {
      const [at, of] = placeOf(origin, account, most)
      if (of.waiting.length === 0 && of.running < shareOf(most) && at.running < originMax) {
        of.running++
        at.running++
        return undefined
      }
      if (of.waiting.length >= WAITING_MAX) throw new TooManyWaiting()
      return queued(at, of, signal, leftMs, () => forget(origin, account))
    },
    leave(origin, account) {
      const at = origins.get(origin)
      const of = at?.accounts.get(account)
      if (!at || !of) return
      of.running--
      at.running--
      admit(at, originMax, shareOf)
      forget(origin, account)
    },
    count() {
      const all = [...origins.values()]
      return {
        running: all.reduce((sum, { running }) => sum + running, 0),
        waiting: all
          .flatMap(({ accounts }) => [...accounts.values()])
          .reduce((sum, { waiting }) => sum + waiting.length, 0),
      }
    },
  }
}

/** Goes round the accounts that wait, one request each. */
function admit(at: Origin, originMax: number, shareOf: (most: number) => number): void {
  for (let full = 0; full < at.ring.length && at.running < originMax;) {
    const of = at.ring.shift()!
    if (of.running >= shareOf(of.most)) {
      at.ring.push(of)
      full++
      continue
    }
    full = 0
    of.running++
    at.running++
    of.waiting.shift()!.go()
    if (of.waiting.length > 0) at.ring.push(of)
  }
}

function queued(
  at: Origin,
  of: Account,
  signal: AbortSignal,
  leftMs: number,
  forget: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: EgressError) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      if (!error) return resolve()
      of.waiting.splice(of.waiting.indexOf(waiter), 1)
      if (of.waiting.length === 0) at.ring.splice(at.ring.indexOf(of), 1)
      forget()
      reject(error)
    }
    const waiter: Waiter = { go: () => end() }
    const leave = () => end(new EgressError('aborted', 'The caller left while the call waited for its turn.'))
    const timer = setTimeout(
      () =>
        end(
          new EgressError(
            'timeout',
            'The call waited for its turn until its time was up: too many others of the same account were under way.',
          ),
        ),
      leftMs,
    )
    if (of.waiting.push(waiter) === 1) at.ring.push(of)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
}
