import type { CompiledPoll, Trigger, TriggerArguments } from '../../../catalog/index.ts'
import type { TriggerItem } from '../publish-trigger-events.ts'
import { readFirstItems } from './first-items.ts'
import { CursorExpired, type PagesRead, PollFailed, readPages, type SendPollRequest } from './read.ts'
import { addSeen, digestOf, type PollState } from './state.ts'

/** The result of one poll. State and items are stored together. */
export interface PolledItems {
  /** New items, oldest first. */
  items: TriggerItem[]
  state: PollState
  /** Some items are left: the next poll should follow soon. */
  hasMore: boolean
  /** A sentence that says why new items may be missing. */
  gap: string | undefined
}

export interface PollCall {
  send: SendPollRequest
  trigger: Trigger & { poll: CompiledPoll }
  config: TriggerArguments
  /** Undefined for the first poll. */
  state: PollState | undefined
  now: () => number
  /** By the same clock. Items that are not done by then are left for the next poll. */
  deadlineAt: number
}

/** Items of one poll; the next poll has the rest. */
const ITEMS_PER_POLL_MAX = 500
const CONCURRENT_DETAILS_MAX = 4
/** Digests of a list without an order, which is compared as a whole. */
const WHOLE_LIST_SEEN_MAX = 20_000

/** Polls once. @throws PollFailed, ApiError */
export async function pollOnce(call: PollCall): Promise<PolledItems> {
  const { trigger, state, now } = call
  const { poll } = trigger
  if (!state) return pollFirst(call)
  const known = new Set(state.seen)
  const isKnown = (item: unknown) => {
    const key = poll.keyOf(item)
    return key !== undefined && known.has(digestOf(key))
  }
  let read: PagesRead
  try {
    read = await readNewPages(call, state, isKnown)
  } catch (error) {
    if (!(error instanceof CursorExpired)) throw error
    return {
      ...(await pollFirst(call)),
      gap:
        'The application does not accept the cursor of the last poll any more. The trigger started anew, ' +
        'and items in between may be missing.',
    }
  }
  const newItems = newItemsOf(poll, read.items, isKnown, state)
  const { items, keys, isComplete } = await toTriggerItems(call, oldestFirst(poll, newItems))
  if (isComplete)
    return {
      items,
      hasMore: read.nextPage !== undefined && canResume(poll),
      ...nextState(poll, state, read, now()),
    }
  const seen = addSeen(state.seen, keys.map(digestOf), poll.by === 'all' ? WHOLE_LIST_SEEN_MAX : undefined)
  return { items, hasMore: true, gap: undefined, state: { ...state, seen } }
}

async function pollFirst(call: PollCall): Promise<PolledItems> {
  const { state, backfill } = await readFirstItems(call.send, call.trigger.poll, call.config, call.now())
  const { items, keys } = await toTriggerItems(call, backfill)
  return {
    items,
    state: { ...state, seen: addSeen(state.seen, keys.map(digestOf)) },
    hasMore: false,
    gap: undefined,
  }
}

/** Reads the pages with new items. @throws PollFailed, CursorExpired */
async function readNewPages(
  { send, trigger: { poll }, config, now }: PollCall,
  state: PollState,
  isKnown: (item: unknown) => boolean,
): Promise<PagesRead> {
  const args = {
    ...config,
    ...(state.cursor !== undefined && { cursor: state.cursor }),
    ...(poll.since && { since: poll.since.write((state.since ?? now()) - poll.since.overlapMs) }),
  }
  const isEnough = (items: readonly unknown[]) => poll.by === 'newest_first' && items.some(isKnown)
  try {
    return await readPages(send, poll, args, state.page, isEnough)
  } catch (error) {
    // Page tokens expire. Without one the cursor still leads to all items.
    const isExpiredPage =
      state.page &&
      error instanceof PollFailed &&
      (error.response.meaning === 'invalid' || error.response.meaning === 'not_found')
    if (!isExpiredPage) throw error
    return readPages(send, poll, args, undefined, isEnough)
  }
}

/** Whether a poll that reached a limit can continue at the same page. */
const canResume = ({ by, newestFirst }: CompiledPoll): boolean =>
  by === 'cursor' || (by === 'since' && !newestFirst)

/** The new items, each once, in the order of the list. */
function newItemsOf(
  poll: CompiledPoll,
  items: readonly unknown[],
  isKnown: (item: unknown) => boolean,
  state: PollState,
): unknown[] {
  // An application that filters by the time of a change also lists old items.
  const sinceFloor = poll.since && state.since !== undefined ? state.since - poll.since.overlapMs : undefined
  const floor = state.floor ?? sinceFloor
  // In a list with the newest first, items after the last known one are old: they moved up because others were removed.
  const end = poll.by === 'newest_first' ? items.findLastIndex(isKnown) : -1
  const keys = new Set<string>()
  return (end < 0 ? items : items.slice(0, end)).filter((item) => {
    const key = poll.keyOf(item)
    if (key === undefined || keys.has(key) || isKnown(item)) return false
    keys.add(key)
    return floor === undefined || (poll.timeOf(item) ?? Infinity) >= floor
  })
}

/** Sorts by time if all items have one, else by the order of the list. */
function oldestFirst(poll: CompiledPoll, items: readonly unknown[]): unknown[] {
  const listed = poll.newestFirst ? items.toReversed() : [...items]
  const times = new Map(listed.map((item) => [item, poll.timeOf(item)]))
  if (!poll.hasTime || [...times.values()].includes(undefined)) return listed
  return listed.sort((one, other) => times.get(one)! - times.get(other)!)
}

/**
 * Reads details and builds payloads, for as many items as there is time for. `keys` are those of the items that are
 * done, whether they create an event or not.
 */
async function toTriggerItems(
  call: PollCall,
  items: readonly unknown[],
): Promise<{ items: TriggerItem[]; keys: string[]; isComplete: boolean }> {
  const { poll } = call.trigger
  const results: TriggerItem[] = []
  const keys: string[] = []
  const step = poll.detail ? CONCURRENT_DETAILS_MAX : ITEMS_PER_POLL_MAX
  for (let start = 0; start < items.length; start += step) {
    const isLate = start > 0 && call.now() >= call.deadlineAt
    if (results.length >= ITEMS_PER_POLL_MAX || isLate) return { items: results, keys, isComplete: false }
    const portion = items.slice(start, start + step)
    const built = await Promise.all(portion.map((item) => toTriggerItem(call, item)))
    for (const one of built) if (one) results.push(one)
    for (const item of portion) keys.push(poll.keyOf(item)!)
  }
  return { items: results, keys, isComplete: true }
}

/** Returns undefined for an item that creates no event, or was deleted meanwhile. */
async function toTriggerItem(call: PollCall, item: unknown): Promise<TriggerItem | undefined> {
  const { send, trigger, config } = call
  const { poll } = trigger
  if (!poll.makesEvent(item, config)) return undefined
  const detail = poll.detail ? await readDetail(send, poll, config, item) : undefined
  if (detail === DELETED) return undefined
  return { key: poll.keyOf(item)!, payload: trigger.payloadOf({ item, detail, config }) }
}

const DELETED = Symbol('deleted')

/** @throws PollFailed */
async function readDetail(
  send: SendPollRequest,
  { detail, successWhen }: CompiledPoll,
  config: TriggerArguments,
  item: unknown,
): Promise<unknown> {
  const { request, argumentsOf, pick, goneWhen } = detail!
  const response = await send(request, { ...config, ...argumentsOf(item) }, { successWhen })
  if (goneWhen?.(response)) return DELETED
  if (!response.ok) throw new PollFailed(response)
  return pick ? pick(response.body) : response.body
}

/** The state after all items that were read are published. */
function nextState(
  poll: CompiledPoll,
  state: PollState,
  read: PagesRead,
  now: number,
): Pick<PolledItems, 'state' | 'gap'> {
  const { items, nextPage } = read
  const digests = items
    .map((item) => poll.keyOf(item))
    .filter((key) => key !== undefined)
    .map(digestOf)
  const listed = poll.newestFirst ? digests.toReversed() : digests
  if (poll.by === 'all') return wholeListState(poll, state, listed, nextPage !== undefined)
  const known = new Set(state.seen)
  const newDigests = listed.filter((digest) => !known.has(digest))
  const seen = addSeen(state.seen, newDigests)
  if (nextPage && canResume(poll)) return { state: { ...state, seen, page: nextPage }, gap: undefined }
  const next = { ...state, seen, page: undefined }
  if (poll.cursor)
    return {
      state: { ...next, cursor: (read.cursor as PollState['cursor']) ?? state.cursor },
      gap: undefined,
    }
  const since = poll.since && {
    since: items.reduce<number>(
      (latest, item) => Math.max(latest, Math.min(now, poll.timeOf(item) ?? 0)),
      state.since ?? 0,
    ),
  }
  const hasGap = nextPage && state.seen.length > 0
  return {
    state: { ...next, ...since },
    gap: hasGap
      ? `There were more new items than one poll reads (${items.length} items on ${poll.maxPages} pages); ` +
        'older ones are missing.'
      : undefined,
  }
}

function wholeListState(
  poll: CompiledPoll,
  state: PollState,
  digests: readonly string[],
  isTruncated: boolean,
): Pick<PolledItems, 'state' | 'gap'> {
  const seen = addSeen(isTruncated ? state.seen : [], digests, WHOLE_LIST_SEEN_MAX)
  // Most polls find the same list, and then there is nothing to store.
  const isUnchanged =
    seen.length === state.seen.length && seen.every((digest, index) => digest === state.seen[index])
  return {
    state: isUnchanged ? state : { ...state, seen },
    gap: isTruncated
      ? `The list is longer than one poll reads (${poll.maxPages} pages); the rest was not read.`
      : undefined,
  }
}
