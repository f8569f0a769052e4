import { type Static, Type } from '../../../contract/schema-type.ts'
import { Pagination } from './pagination.ts'
import { conditionThat, OneOfText, optional, Path, Strict, Text } from './shapes.ts'
import { Request } from './tool-request.ts'
import { itemConditions } from './trigger-condition.ts'

const { argument: _argument, items: _items, tool: _tool, size: _size, ...pagingParts } = Pagination.properties

const Page = Strict(
  {
    ...pagingParts,
    size: optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description:
          'page, offset, last_item: number of items that the request asks for. A page with fewer items ' +
          'is the last one.',
      }),
    ),
  },
  {
    description:
      'Pagination of one list, as for tools. Requests get the value of the next page as `page`, which ' +
      'the first request does not have.',
  },
)

const Cursor = Strict(
  {
    start: Strict(
      {
        request: Request,
        path: Path('Path of the first cursor in the response. With `page`, pages are read until one has it.'),
      },
      {
        description:
          'Request for the current position. It is sent when the trigger starts, and again when a ' +
          'cursor has expired.',
      },
    ),
    next: Path('Path of the next cursor in a response. Only the last page needs it.'),
    expired: optional(
      conditionThat(
        'Responses for an expired cursor: the trigger starts again, and its log reports the gap.',
      ),
    ),
  },
  { description: 'For `by: cursor`. Requests get it as `cursor`.' },
)

export const SINCE_FORMATS = ['iso', 'seconds', 'milliseconds', 'date'] as const

const Since = Strict(
  {
    format: OneOfText(SINCE_FORMATS, {
      description: 'Format of `since`: ISO 8601 in UTC, seconds or milliseconds since 1970, or YYYY-MM-DD.',
    }),
    overlap_seconds: optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 300,
        description: 'Overlap of polls, for items that the application lists late. An item makes one event.',
      }),
    ),
  },
  {
    description:
      'For `by: since`. Requests get the time of the newest known item, less the overlap, as `since`. ' +
      'Requires `time`.',
  },
)

const Detail = Strict(
  {
    arguments: Type.Record(Type.String(), Path('Path of the value in the item.'), {
      description: 'Names for the request to the paths of their values in the item.',
    }),
    request: Request,
    pick: optional(Path('Path of the part of the response that becomes `detail`.')),
    gone_when: optional(conditionThat('Responses for an item that no longer exists. It is skipped.')),
  },
  { description: 'One further request for each new item.' },
)

const Interval = Strict(
  {
    default: optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_440,
        default: 15,
        description: 'Minutes, when not configured.',
      }),
    ),
    min: optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_440,
        default: 1,
        description: 'Minimum that can be configured.',
      }),
    ),
    max: optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_080,
        default: 1_440,
        description: 'Maximum that can be configured.',
      }),
    ),
  },
  {
    description:
      'Minutes between polls. The configuration of every polling trigger has a property `interval`.',
  },
)

/** A polling trigger. */
export const Poll = Strict(
  {
    request: Request,
    success_when: optional(conditionThat('Replaces the condition of the toolkit.')),
    use_token: optional(Text('Another token of the connection, as for tools.')),
    items: Path('Path of the list in a response; `$` for the whole response.'),
    key: Type.Union(
      [Path('Path of the value.'), Type.Array(Path('Path of the value.'), { minItems: 1, maxItems: 5 })],
      {
        description:
          'Path of the unique key in an item, or several paths; `$` for an item that is a text or a number. An item ' +
          'with a known key makes no event, also if it was gone in between; with `["id", "updated_at"]` a change ' +
          'makes one.',
      },
    ),
    time: optional(Path('Path of the time in the item: ISO 8601, or seconds or milliseconds since 1970.')),
    only_when: optional(itemConditions('Conditions that must all hold for an item to make an event.')),
    skip_when: optional(itemConditions('Conditions of which one excludes an item.')),
    page: optional(Page),
    max_pages: optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 10,
        description: 'Maximum number of pages of one poll.',
      }),
    ),
    order: optional(
      OneOfText(['newest_first', 'oldest_first'], {
        description:
          'Order of the list. Default newest_first; for `by: cursor` oldest_first. Events are ' +
          'delivered oldest first.',
      }),
    ),
    by: OneOfText(['newest_first', 'cursor', 'since', 'all'], {
      description:
        'How new items are found. newest_first: the list starts with the newest item and is read up to ' +
        'a known one. cursor: the application returns a cursor for the next poll. since: items after a ' +
        'time are requested. all: the whole list is read each time.',
    }),
    cursor: optional(Cursor),
    since: optional(Since),
    detail: optional(Detail),
    interval: optional(Interval),
    back_fill: optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        default: 0,
        description: 'Number of existing items, newest first, that make events when the trigger starts.',
      }),
    ),
  },
  {
    description:
      'A trigger that polls. Its requests are like those of tools. They use the properties of the ' +
      'configuration, `cursor`, `since`, `page`, and values of the connection.',
  },
)

export type PollManifest = Static<typeof Poll>
export type SinceFormat = (typeof SINCE_FORMATS)[number]
