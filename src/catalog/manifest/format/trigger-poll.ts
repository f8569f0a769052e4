import { type Static, Type } from 'typebox'
import { Pagination } from './pagination.ts'
import { conditionThat, OneOfText, optional, Path, Strict, Text } from './shapes.ts'
import { Request } from './tool.ts'
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
          'page, offset, last_item: how many items the request asks for at once. A page with fewer is the last one.',
      }),
    ),
  },
  {
    description:
      'How one list goes on page by page, as for tools. Requests get the value of the next page under the name `page`, which is left out of the first.',
  },
)

const Cursor = Strict(
  {
    start: Strict(
      {
        request: Request,
        path: Path(
          'Where the first cursor stands in the reply. With `page`, pages are read until one has it.',
        ),
      },
      {
        description:
          'The request that tells where the list stands now. It is made when the trigger begins, and again when a cursor has expired.',
      },
    ),
    next: Path('Where the cursor of the next poll stands in a reply; it may stand only on the last page.'),
    expired: optional(
      conditionThat(
        'Replies that say that the application does not know the cursor any more: the trigger begins anew, and its log tells of the gap.',
      ),
    ),
  },
  { description: 'by cursor: requests get it under the name `cursor`.' },
)

export const SINCE_FORMATS = ['iso', 'seconds', 'milliseconds', 'date'] as const

const Since = Strict(
  {
    format: OneOfText(SINCE_FORMATS, {
      description:
        'How `since` is written: ISO 8601 in UTC, seconds or milliseconds since 1970, or YYYY-MM-DD.',
    }),
    overlap_seconds: optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 300,
        description:
          'By how much polls overlap, for what the application lists late. What was told before is not told again.',
      }),
    ),
  },
  {
    description:
      'by since: requests get the moment of the newest item that was seen, less the overlap, under the name `since`. Needs `time`.',
  },
)

const Detail = Strict(
  {
    arguments: Type.Record(Type.String(), Path('Where the value stands in the item.'), {
      description: 'Names for the request, and where their values stand in the item.',
    }),
    request: Request,
    pick: optional(Path('Part of the reply that becomes `detail`.')),
    gone_when: optional(
      conditionThat('Replies that say that the item is no longer there: it is passed over.'),
    ),
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
        description: 'Minutes, where the configuration does not say.',
      }),
    ),
    min: optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_440,
        default: 1,
        description: 'The fewest minutes that a configuration may ask for.',
      }),
    ),
    max: optional(Type.Integer({ minimum: 1, maximum: 10_080, default: 1_440, description: 'The most.' })),
  },
  {
    description:
      'Minutes between polls. The configuration of every polling trigger has a property `interval`.',
  },
)

/** How new things are found by asking for them again and again. */
export const Poll = Strict(
  {
    request: Request,
    success_when: optional(conditionThat('In place of that of the toolkit.')),
    use_token: optional(Text('As for tools: another token of the connection.')),
    items: Path('Where the list stands in a reply; `$` when it is the whole reply.'),
    key: Type.Union(
      [Path('Where it stands.'), Type.Array(Path('Where it stands.'), { minItems: 1, maxItems: 5 })],
      {
        description:
          'What makes an item this one and no other, as a path in the item, or several. Items whose key was seen before make no event; with `["id", "updated_at"]` a change makes one.',
      },
    ),
    time: optional(
      Path('Where it stands in the item when it happened: ISO 8601, or seconds or milliseconds since 1970.'),
    ),
    only_when: optional(itemConditions('Only items for which all of these hold make events.')),
    skip_when: optional(itemConditions('Items for which one of these holds make no event.')),
    page: optional(Page),
    max_pages: optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Most pages of one poll.' }),
    ),
    order: optional(
      OneOfText(['newest_first', 'oldest_first'], {
        description:
          'How the application orders the list. Default: newest_first, by cursor oldest_first. Events are told oldest first.',
      }),
    ),
    by: OneOfText(['newest_first', 'cursor', 'since', 'all'], {
      description:
        'How new items are told from old ones. newest_first: the list begins with the newest, and is read until one that is known; cursor: the application says where the next poll goes on; since: items after a moment are asked for; all: the list has no order that helps, and all of it is read each time.',
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
        description: 'How many of the newest items that are there when the trigger begins make events.',
      }),
    ),
  },
  {
    description:
      'A trigger that asks for what is new. Requests are those of tools; their names are the properties of the configuration, `cursor`, `since`, `page`, and values of the connection.',
  },
)

export type PollManifest = Static<typeof Poll>
export type SinceFormat = (typeof SINCE_FORMATS)[number]
