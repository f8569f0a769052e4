import type { CompiledPoll, TriggerArguments } from '../../../catalog/index.ts'
import { type Ask, PollFailed, readPages, usable } from './read.ts'
import { digestOf, type PollState, remembered } from './state.ts'

/** Pages of the list that tells where it ends, of which some applications have many. */
const START_PAGES_MAX = 100

/** What is there when a trigger begins, which makes no events, and where the next poll goes on. `backFill`: items that make events all the same, oldest first. */
export interface Begun {
  state: PollState
  backFill: readonly unknown[]
}

/** @throws PollFailed */
export async function begin(
  ask: Ask,
  poll: CompiledPoll,
  config: TriggerArguments,
  now: number,
): Promise<Begun> {
  if (poll.cursor) return { state: { cursor: await firstCursor(ask, poll, config), seen: [] }, backFill: [] }
  const whole = poll.by === 'all'
  const args = poll.since ? { ...config, since: poll.since.write(now - poll.since.overlapMs) } : config
  const { items, rest } = await readPages(ask, poll, args, undefined, () => false, whole ? undefined : 1)
  const keyed = items.filter((item) => poll.keyOf(item) !== undefined)
  const wanted = keyed.filter((item) => poll.makesEvent(item, config))
  const newest = poll.newestFirst
    ? wanted.slice(0, poll.backFill).reverse()
    : wanted.slice(wanted.length - poll.backFill)
  const told = new Set(newest)
  const seen = keyed.filter((item) => !told.has(item)).map((item) => digestOf(poll.keyOf(item)!))
  const times = items.map((item) => poll.timeOf(item)).filter((time) => time !== undefined)
  return {
    // What comes first in the list is remembered longest.
    state: {
      seen: remembered([], poll.newestFirst ? seen.reverse() : seen, whole ? Infinity : undefined),
      ...(poll.since && { since: now }),
      ...(poll.by === 'newest_first' &&
        rest !== undefined &&
        times.length > 0 && { floor: Math.min(...times) }),
    },
    backFill: newest,
  }
}

/** Where the list stands now. @throws PollFailed */
async function firstCursor(ask: Ask, poll: CompiledPoll, config: TriggerArguments): Promise<string | number> {
  const { start, first } = poll.cursor!
  let page: Readonly<Record<string, string | number>> | undefined
  for (let read = 1; read <= START_PAGES_MAX; read++) {
    const args = { ...config, ...poll.page?.constants, ...page }
    const answer = await ask(start, args, { successWhen: poll.successWhen })
    if (!answer.ok) throw new PollFailed(answer)
    const cursor = usable(first(answer.body))
    if (cursor !== undefined) return cursor
    page = poll.page?.next({
      args,
      data: (answer.body ?? {}) as Record<string, unknown>,
      items: poll.items(answer.body),
      headers: answer.headers,
    })
    if (!page)
      throw new PollFailed({
        ...answer,
        ok: false,
        meaning: 'transient',
        message: 'The application did not say where its list stands: its answer has no cursor.',
      })
  }
  throw new PollFailed({
    ok: false,
    status: 0,
    headers: {},
    body: undefined,
    meaning: 'transient',
    message: `The application did not say within ${START_PAGES_MAX} pages where its list stands.`,
    retryAfterMs: undefined,
  })
}
