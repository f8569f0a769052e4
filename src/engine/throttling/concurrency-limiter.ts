import { EgressError } from '../../platform/egress/index.ts'
import { removeItem } from '../../platform/remove-item.ts'

/** The number of connections to one origin. */
const ORIGIN_MAX = 256
/** Waiting calls of one account. More are rejected. */
const WAITING_MAX = 256

interface Waiter {
  start(): void
}
interface AccountQueue {
  limit: number
  running: number
  readonly waiting: Waiter[]
}
interface OriginQueue {
  running: number
  readonly accounts: Map<string, AccountQueue>
  /** Accounts with waiting calls, in the order of their turns. */
  readonly roundRobin: AccountQueue[]
}

/** Too many calls of the account are waiting already. */
export class QueueFullError extends Error {}

/** The permission to send one request. */
export interface Turn {
  /** Milliseconds that were left for waiting and sending when the turn was requested. */
  readonly leftMs: number
  /** Lets the next request start. Further calls do nothing. */
  release(): void
}

/**
 * Limits concurrent requests: per account over all servers, and per origin in this process. When none are left,
 * accounts take turns: an account with a thousand calls delays another by one request, not by a thousand.
 */
export interface ConcurrencyLimiter {
  /**
   * Returns undefined if the request may start at once.
   * @throws QueueFullError; rejects with EgressError when the caller disconnects or `leftMs` end first
   */
  acquire(
    origin: string,
    account: string,
    limit: number,
    signal: AbortSignal,
    leftMs: number,
  ): Promise<void> | undefined
  /** Must be called once for each acquired request, when it has ended. */
  release(origin: string, account: string): void
  /** Counts running and waiting requests. */
  count(): { running: number; waiting: number }
}

/**
 * @param replicas the number of servers among which the limit of an account is divided. Together they never run
 * more, and no call needs a message to the others.
 */
export function createConcurrencyLimiter(
  originMax = ORIGIN_MAX,
  replicas: () => number = () => 1,
): ConcurrencyLimiter {
  const origins = new Map<string, OriginQueue>()
  const localLimit = (limit: number) => Math.max(1, Math.floor(limit / replicas()))

  function removeIfIdle(originName: string, accountName: string): void {
    const origin = origins.get(originName)
    const account = origin?.accounts.get(accountName)
    if (!origin || !account || account.running > 0 || account.waiting.length > 0) return
    origin.accounts.delete(accountName)
    if (origin.accounts.size === 0) origins.delete(originName)
  }

  return {
    acquire(originName, accountName, limit, signal, leftMs) {
      let origin = origins.get(originName)
      if (!origin) origins.set(originName, (origin = { running: 0, accounts: new Map(), roundRobin: [] }))
      let account = origin.accounts.get(accountName)
      if (!account) origin.accounts.set(accountName, (account = { limit, running: 0, waiting: [] }))
      const isFree = account.running < localLimit(limit) && origin.running < originMax
      if (account.waiting.length === 0 && isFree) {
        account.running++
        origin.running++
        return undefined
      }
      if (account.waiting.length >= WAITING_MAX) throw new QueueFullError()
      return waitInQueue(origin, account, signal, leftMs, () => removeIfIdle(originName, accountName))
    },
    release(originName, accountName) {
      const origin = origins.get(originName)
      const account = origin?.accounts.get(accountName)
      if (!origin || !account) return
      account.running--
      origin.running--
      startWaiting(origin, originMax, localLimit)
      removeIfIdle(originName, accountName)
    },
    count() {
      const all = [...origins.values()]
      const accounts = all.flatMap((origin) => [...origin.accounts.values()])
      return {
        running: all.reduce((sum, { running }) => sum + running, 0),
        waiting: accounts.reduce((sum, { waiting }) => sum + waiting.length, 0),
      }
    },
  }
}

/** Starts waiting requests, one of each account in turn. */
function startWaiting(origin: OriginQueue, originMax: number, localLimit: (limit: number) => number): void {
  const { roundRobin } = origin
  for (let full = 0; full < roundRobin.length && origin.running < originMax;) {
    const account = roundRobin.shift()!
    if (account.running >= localLimit(account.limit)) {
      roundRobin.push(account)
      full++
      continue
    }
    full = 0
    account.running++
    origin.running++
    account.waiting.shift()!.start()
    if (account.waiting.length > 0) roundRobin.push(account)
  }
}

const CANCELED = 'The client disconnected while the call waited for its turn.'
const TIMED_OUT =
  'The call waited for its turn until its time limit: too many other calls of the same account were running.'

function waitInQueue(
  { roundRobin }: OriginQueue,
  account: AccountQueue,
  signal: AbortSignal,
  leftMs: number,
  removeIfIdle: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: EgressError) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      if (!error) return resolve()
      removeItem(account.waiting, waiter)
      if (account.waiting.length === 0) removeItem(roundRobin, account)
      removeIfIdle()
      reject(error)
    }
    const waiter: Waiter = { start: () => end() }
    const cancel = () => end(new EgressError('aborted', CANCELED))
    const timer = setTimeout(() => end(new EgressError('timeout', TIMED_OUT)), leftMs)
    if (account.waiting.push(waiter) === 1) roundRobin.push(account)
    if (signal.aborted) cancel()
    else signal.addEventListener('abort', cancel, { once: true })
  })
}
