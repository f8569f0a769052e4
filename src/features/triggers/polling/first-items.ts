import type { CompiledPoll, TriggerArguments } from '../../../catalog/index.ts'
import { PollFailed, readPages, type SendPollRequest, usableCursor } from './read.ts'
import { addSeen, digestOf, type PollState } from './state.ts'

/** Some applications have many pages before the one that has the current cursor. */
const FIRST_CURSOR_PAGES_MAX = 100

export interface FirstItems {
  /** Has the existing items, which create no events. */
  state: PollState
  /** Existing items that create events nevertheless, oldest first. */
  backfill: readonly unknown[]
}

/** Reads the items that exist when a trigger is created. @throws PollFailed */
export async function readFirstItems(
  send: SendPollRequest,
  poll: CompiledPoll,
  config: TriggerArguments,
  now: number,
): Promise<FirstItems> {
  if (poll.cursor)
    return { state: { cursor: await readFirstCursor(send, poll, config), seen: [] }, backfill: [] }
  const isWholeList = poll.by === 'all'
  const args = poll.since ? { ...config, since: poll.since.write(now - poll.since.overlapMs) } : config
  const maxPages = isWholeList ? undefined : 1
  const { items, nextPage } = await readPages(send, poll, args, undefined, () => false, maxPages)
  const withKey = items.filter((item) => poll.keyOf(item) !== undefined)
  const candidates = withKey.filter((item) => poll.makesEvent(item, config))
  const backfill = poll.newestFirst
    ? candidates.slice(0, poll.backFill).reverse()
    : candidates.slice(candidates.length - poll.backFill)
  const published = new Set(backfill)
  const seen = withKey.filter((item) => !published.has(item)).map((item) => digestOf(poll.keyOf(item)!))
  const times = items.map((item) => poll.timeOf(item)).filter((time) => time !== undefined)
  const hasFloor = poll.by === 'newest_first' && nextPage !== undefined && times.length > 0
  return {
    // The first items of the list are dropped last.
    state: {
      seen: addSeen([], poll.newestFirst ? seen.reverse() : seen, isWholeList ? Infinity : undefined),
      ...(poll.since && { since: now }),
      ...(hasFloor && { floor: Math.min(...times) }),
    },
    backfill,
  }
}

/** Reads the current cursor of the list. @throws PollFailed */
async function readFirstCursor(
  send: SendPollRequest,
  poll: CompiledPoll,
  config: TriggerArguments,
): Promise<string | number> {
  const { start, first } = poll.cursor!
  let page: Readonly<Record<string, string | number>> | undefined
  for (let pages = 1; pages <= FIRST_CURSOR_PAGES_MAX; pages++) {
    const args = { ...config, ...poll.page?.constants, ...page }
    const response = await send(start, args, { successWhen: poll.successWhen })
    if (!response.ok) throw new PollFailed(response)
    const cursor = usableCursor(first(response.body))
    if (cursor !== undefined) return cursor
    page = poll.page?.next({
      args,
      data: (response.body ?? {}) as Record<string, unknown>,
      items: poll.items(response.body),
      headers: response.headers,
    })
    const message = 'The response of the application has no cursor.'
    if (!page) throw new PollFailed({ ...response, ok: false, meaning: 'transient', message })
  }
  throw new PollFailed({
    ok: false,
    status: 0,
    headers: {},
    body: undefined,
    meaning: 'transient',
    message: `The first ${FIRST_CURSOR_PAGES_MAX} pages of the application have no cursor.`,
    retryAfterMs: undefined,
  })
}
