import type { CompiledPoll, CompiledRequest, Predicate, TriggerArguments } from '../../../catalog/index.ts'
import type { TriggerResponse } from '../../../engine/index.ts'

export type Ask = (
  request: CompiledRequest,
  args: TriggerArguments,
  options?: { successWhen?: Predicate | undefined },
) => Promise<TriggerResponse>

/** The application did not answer as it should: the poll comes to nothing, and what it knew stays as it was. */
export class PollFailed extends Error {
  readonly answer: TriggerResponse

  constructor(answer: TriggerResponse) {
    super(answer.message ?? `The application answered ${answer.status}.`)
    this.name = 'PollFailed'
    this.answer = answer
  }
}

/** The application does not know the cursor any more. */
export class CursorExpired extends Error {}

/** What one poll read of a list. */
export interface PagesRead {
  items: unknown[]
  /** The last cursor that stood on a page. */
  cursor: unknown
  /** Arguments of the page that was not read any more; undefined at the end of the list. */
  rest: Readonly<Record<string, string | number>> | undefined
}

/** Enough for a burst; whatever a page holds is read whole. */
const ITEMS_MAX = 5_000

/** Reads a list page after page until its end, until `isEnough` of a page, or until a bound. @throws PollFailed, CursorExpired */
export async function readPages(
  ask: Ask,
  poll: CompiledPoll,
  args: TriggerArguments,
  from: PagesRead['rest'],
  isEnough: (items: readonly unknown[]) => boolean,
  maxPages = poll.maxPages,
): Promise<PagesRead> {
  const read: PagesRead = { items: [], cursor: undefined, rest: from }
  const asked = new Set<string>()
  for (let page = 1; page <= maxPages && read.items.length < ITEMS_MAX; page++) {
    const pageArgs = { ...args, ...poll.page?.constants, ...read.rest }
    const answer = await ask(poll.request, pageArgs, { successWhen: poll.successWhen })
    if (poll.cursor?.expired?.(answer)) throw new CursorExpired()
    if (!answer.ok) throw new PollFailed(answer)
    const items = poll.items(answer.body)
    for (const item of items) read.items.push(item)
    read.cursor = usable(poll.cursor?.next(answer.body)) ?? read.cursor
    read.rest = poll.page?.next({
      args: pageArgs,
      data: (answer.body ?? {}) as Record<string, unknown>,
      items,
      headers: answer.headers,
    })
    const key = JSON.stringify(read.rest)
    // A list that leads in circles has been read.
    if (read.rest === undefined || asked.has(key) || isEnough(items)) return { ...read, rest: undefined }
    asked.add(key)
  }
  return read
}

/** A cursor is a word or a number; anything else is none. */
export const usable = (value: unknown): string | number | undefined =>
  (typeof value === 'string' && value !== '' && value.length <= 8_192) ||
  (typeof value === 'number' && Number.isFinite(value))
    ? value
    : undefined
