import type { CompiledPoll, CompiledRequest, Predicate, TriggerArguments } from '../../../catalog/index.ts'
import type { TriggerResponse } from '../../../engine/index.ts'

export type SendPollRequest = (
  request: CompiledRequest,
  args: TriggerArguments,
  options?: { successWhen?: Predicate | undefined },
) => Promise<TriggerResponse>

/** The response of the application is not usable: the poll fails, and the state stays as it was. */
export class PollFailed extends Error {
  readonly response: TriggerResponse

  constructor(response: TriggerResponse) {
    super(response.message ?? `The application returned ${response.status}.`)
    this.name = 'PollFailed'
    this.response = response
  }
}

/** The application does not accept the cursor any more. */
export class CursorExpired extends Error {}

/** The pages of a list that one poll has read. */
export interface PagesRead {
  items: unknown[]
  /** The cursor of the last page that had one. */
  cursor: unknown
  /** Arguments of the next page; undefined at the end of the list. */
  nextPage: Readonly<Record<string, string | number>> | undefined
}

/** Enough for a burst. A page that was requested is read completely. */
const ITEMS_MAX = 5_000
const CURSOR_CHARACTERS_MAX = 8_192

/**
 * Reads a list page by page until its end, until `isEnough` returns true for a page, or until a limit.
 * @throws PollFailed, CursorExpired
 */
export async function readPages(
  send: SendPollRequest,
  poll: CompiledPoll,
  args: TriggerArguments,
  from: PagesRead['nextPage'],
  isEnough: (items: readonly unknown[]) => boolean,
  maxPages = poll.maxPages,
): Promise<PagesRead> {
  const read: PagesRead = { items: [], cursor: undefined, nextPage: from }
  const requested = new Set<string>()
  for (let page = 1; page <= maxPages && read.items.length < ITEMS_MAX; page++) {
    const pageArgs = { ...args, ...poll.page?.constants, ...read.nextPage }
    const response = await send(poll.request, pageArgs, { successWhen: poll.successWhen })
    if (poll.cursor?.expired?.(response)) throw new CursorExpired()
    if (!response.ok) throw new PollFailed(response)
    const items = poll.items(response.body)
    for (const item of items) read.items.push(item)
    read.cursor = usableCursor(poll.cursor?.next(response.body)) ?? read.cursor
    read.nextPage = poll.page?.next({
      args: pageArgs,
      data: (response.body ?? {}) as Record<string, unknown>,
      items,
      headers: response.headers,
    })
    const key = JSON.stringify(read.nextPage)
    // A page that leads to an earlier one ends the list.
    if (read.nextPage === undefined || requested.has(key) || isEnough(items))
      return { ...read, nextPage: undefined }
    requested.add(key)
  }
  return read
}

/** Returns a cursor that can be stored: a string or a number. */
export const usableCursor = (value: unknown): string | number | undefined =>
  (typeof value === 'string' && value !== '' && value.length <= CURSOR_CHARACTERS_MAX) ||
  (typeof value === 'number' && Number.isFinite(value))
    ? value
    : undefined
