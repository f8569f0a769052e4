import type { CompiledPoll, Trigger, TriggerArguments } from '../../../catalog/index.ts'
import { begin } from './begin.ts'
import { type Ask, CursorExpired, type PagesRead, PollFailed, readPages } from './read.ts'
import { digestOf, type PollState, remembered } from './state.ts'

/** Something new, on its way to being told. The same key again is the same event. */
export interface NewEvent {
  key: string
  payload: Record<string, unknown>
}

/** What came of one poll. State and events belong together: both are stored, or neither. */
export interface Polled {
  events: NewEvent[]
  state: PollState
  /** There is more than was read; the next poll should come at once. */
  more: boolean
  /** Why some of what is new may be missing, in a sentence. */
  gap: string | undefined
}

export interface PollCall {
  ask: Ask
  trigger: Trigger & { poll: CompiledPoll }
  config: TriggerArguments
  /** Undefined: the trigger begins. */
  state: PollState | undefined
  now: () => number
  /** By the same clock: what is not done by then is left for the next poll. */
  deadlineAt: number
}

/** Of one poll; the next one tells the others. */
const EVENTS_MAX = 500
const DETAILS_AT_ONCE = 4
/** The whole of a list that has no order. */
const ALL_MAX = 20_000

/** One poll. @throws PollFailed, ApiError */
export async function pollOnce(call: PollCall): Promise<Polled> {
  const {
    ask,
    trigger: { poll },
    config,
    state,
    now,
  } = call
  if (!state) return beginning(call)
  const args = {
    ...config,
    ...(state.cursor !== undefined && { cursor: state.cursor }),
    ...(poll.since && { since: poll.since.write((state.since ?? now()) - poll.since.overlapMs) }),
  }
  const known = new Set(state.seen)
  const isKnown = (item: unknown) => {
    const key = poll.keyOf(item)
    return key !== undefined && known.has(digestOf(key))
  }
  const from = (page: PollState['page']) =>
    readPages(ask, poll, args, page, (items) => poll.by === 'newest_first' && items.some(isKnown))
  let read: PagesRead
  try {
    read = await from(state.page).catch((error: unknown) => {
      // Pages have names that applications forget; the cursor still leads to all of them.
      if (
        state.page &&
        error instanceof PollFailed &&
        (error.answer.meaning === 'invalid' || error.answer.meaning === 'not_found')
      )
        return from(undefined)
      throw error
    })
  } catch (error) {
    if (!(error instanceof CursorExpired)) throw error
    return {
      ...(await beginning(call)),
      gap: 'The application does not know any more where the last poll ended; the trigger began anew, and what happened in between was not told.',
    }
  }
  const fresh = freshOf(poll, read.items, isKnown, state)
  const told = await eventsOf(call, inOrder(poll, fresh))
  return told.isAll
    ? {
        events: told.events,
        more: read.rest !== undefined && resumes(poll),
        ...after(poll, state, read, now()),
      }
    : {
        events: told.events,
        more: true,
        gap: undefined,
        state: {
          ...state,
          seen: remembered(state.seen, told.keys.map(digestOf), poll.by === 'all' ? ALL_MAX : undefined),
        },
      }
}

async function beginning(call: PollCall): Promise<Polled> {
  const { state, backFill } = await begin(call.ask, call.trigger.poll, call.config, call.now())
  const { events, keys } = await eventsOf(call, backFill)
  return {
    events,
    state: { ...state, seen: remembered(state.seen, keys.map(digestOf)) },
    more: false,
    gap: undefined,
  }
}

/** Whether a poll that ran into a bound goes on where it stopped. */
const resumes = ({ by, newestFirst }: CompiledPoll): boolean =>
  by === 'cursor' || (by === 'since' && !newestFirst)

/** Items that were not there before, each once, in the order of the list. */
function freshOf(
  poll: CompiledPoll,
  items: readonly unknown[],
  isKnown: (item: unknown) => boolean,
  state: PollState,
): unknown[] {
  // An application that looks when a thing changed lists old ones too.
  const floor =
    state.floor ?? (poll.since && state.since !== undefined ? state.since - poll.since.overlapMs : undefined)
  // In a list that begins with the newest, whatever stands behind the last one that is known was there before it: something in front of it went away.
  const end = poll.by === 'newest_first' ? items.findLastIndex(isKnown) : -1
  const met = new Set<string>()
  return (end < 0 ? items : items.slice(0, end)).filter((item) => {
    const key = poll.keyOf(item)
    if (key === undefined || met.has(key) || isKnown(item)) return false
    met.add(key)
    return floor === undefined || (poll.timeOf(item) ?? Infinity) >= floor
  })
}

/** Oldest first: by their time where all have one, else by the list. */
function inOrder(poll: CompiledPoll, items: readonly unknown[]): unknown[] {
  const listed = poll.newestFirst ? items.toReversed() : [...items]
  const times = new Map(listed.map((item) => [item, poll.timeOf(item)]))
  if (!poll.hasTime || [...times.values()].includes(undefined)) return listed
  return listed.sort((a, b) => times.get(a)! - times.get(b)!)
}

/** Events of as many items as there is time for. `keys`: of the items that were dealt with, whether they made an event or not. */
async function eventsOf(
  { ask, trigger, config, now, deadlineAt }: PollCall,
  items: readonly unknown[],
): Promise<{ events: NewEvent[]; keys: string[]; isAll: boolean }> {
  const { poll } = trigger
  const events: NewEvent[] = []
  const keys: string[] = []
  const step = poll.detail ? DETAILS_AT_ONCE : EVENTS_MAX
  for (let at = 0; at < items.length; at += step) {
    if (events.length >= EVENTS_MAX || (at > 0 && now() >= deadlineAt)) return { events, keys, isAll: false }
    const some = items.slice(at, at + step)
    const made = await Promise.all(
      some.map(async (item) => {
        if (!poll.makesEvent(item, config)) return undefined
        const detail = poll.detail ? await detailOf(ask, poll, config, item) : undefined
        return detail === GONE
          ? undefined
          : { key: poll.keyOf(item)!, payload: trigger.payloadOf({ item, detail, config }) }
      }),
    )
    for (const event of made) if (event) events.push(event)
    for (const item of some) keys.push(poll.keyOf(item)!)
  }
  return { events, keys, isAll: true }
}

const GONE = Symbol('gone')

/** @throws PollFailed */
async function detailOf(
  ask: Ask,
  { detail, successWhen }: CompiledPoll,
  config: TriggerArguments,
  item: unknown,
): Promise<unknown> {
  const { request, argumentsOf, pick, goneWhen } = detail!
  const answer = await ask(request, { ...config, ...argumentsOf(item) }, { successWhen })
  if (goneWhen?.(answer)) return GONE
  if (!answer.ok) throw new PollFailed(answer)
  return pick ? pick(answer.body) : answer.body
}

/** What the next poll has to know when everything that was read has been told. */
function after(
  poll: CompiledPoll,
  state: PollState,
  { items, cursor, rest }: PagesRead,
  now: number,
): Pick<Polled, 'state' | 'gap'> {
  const digests = items
    .map((item) => poll.keyOf(item))
    .filter((key) => key !== undefined)
    .map(digestOf)
  const listed = poll.newestFirst ? digests.toReversed() : digests
  if (poll.by === 'all') {
    const seen = remembered(rest ? state.seen : [], listed, ALL_MAX)
    // Most polls find the list as it was, and then there is nothing to store.
    const isAsItWas =
      seen.length === state.seen.length && seen.every((digest, index) => digest === state.seen[index])
    return {
      state: isAsItWas ? state : { ...state, seen },
      gap:
        rest &&
        `The list is longer than one poll reads (${poll.maxPages} pages); what stands behind was not looked at.`,
    }
  }
  const known = new Set(state.seen)
  const seen = remembered(
    state.seen,
    listed.filter((digest) => !known.has(digest)),
  )
  if (rest && resumes(poll)) return { state: { ...state, seen, page: rest }, gap: undefined }
  const next = { ...state, seen, page: undefined }
  if (poll.cursor)
    return { state: { ...next, cursor: (cursor as PollState['cursor']) ?? state.cursor }, gap: undefined }
  const since = poll.since && {
    since: items.reduce<number>(
      (latest, item) => Math.max(latest, Math.min(now, poll.timeOf(item) ?? 0)),
      state.since ?? 0,
    ),
  }
  return {
    state: { ...next, ...since },
    gap:
      rest && state.seen.length > 0
        ? `More was new than one poll reads (${items.length} items on ${poll.maxPages} pages); what was older was not told.`
        : undefined,
  }
}
