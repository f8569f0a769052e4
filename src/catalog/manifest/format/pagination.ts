import { type Static, Type } from 'typebox'
import { OneOfText, optional, Path, Strict, Text, TextMap } from './shapes.ts'

/** How a tool that lists says where its next page is. Paths lead into `data`, as the tool answers it. */
export const Pagination = Strict(
  {
    by: OneOfText(['cursor', 'link', 'last_item', 'page', 'offset'], {
      description:
        'cursor: the answer holds a value for the next call; link: it holds the address of the next page; last_item: the key of the last item is that value; page: pages are numbered; offset: items are skipped.',
    }),
    argument: Text('The argument that asks for the next page.'),
    items: Path('Where the list of a page stands in `data`.'),
    tool: optional(
      Text('The tool that reads further pages, if it is another one; it is called with `argument` alone.', {
        pattern: '^[A-Z0-9_]+$',
      }),
    ),
    next: optional(
      Path(
        'cursor: where the value for the next call stands; link: where the address stands. Without it a link is that of the header `Link` with rel="next" (RFC 8288).',
      ),
    ),
    pattern: optional(
      Text(
        'cursor: regular expression whose first group is the value, where the answer holds more than it.',
        { maxLength: 200 },
      ),
    ),
    next_header: optional(
      Text('cursor: the header field that holds the value for the next call, lower case.'),
    ),
    parameter: optional(
      Text(
        'link: the query parameter of the address whose value the argument takes. Default: the name of the argument.',
      ),
    ),
    also: optional(
      TextMap(
        'link: further arguments, and the query parameters of the address that they take their values from.',
      ),
    ),
    item_key: optional(Path('last_item: where the value stands in an item. Default `id`.')),
    first: optional(
      Type.Integer({ minimum: 0, maximum: 1, description: 'page: number of the first page. Default 1.' }),
    ),
    size: optional(
      Text(
        'page, offset, last_item: the argument that says how many items a page has. A page with fewer is the last one.',
      ),
    ),
    more: optional(
      Path(
        'Where it stands whether there is more: this page is the last one unless the value is true or the text `true`.',
      ),
    ),
    last: optional(Path('The other way round: this page is the last one if the value is true.')),
    total: optional(Path('offset: where the number of all items stands.')),
    pages: optional(Path('page: where the number of all pages stands.')),
  },
  {
    description:
      'How a list goes on. What a caller asks for with `paging` follows it; a model is told by the descriptions of the arguments.',
  },
)

export type PaginationManifest = Static<typeof Pagination>
