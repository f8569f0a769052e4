import { type Static, Type } from '../../../contract/schema-type.ts'
import { OneOfText, optional, Path, Strict, Text, TextMap } from './shapes.ts'

/** Pagination of a tool. Paths lead into `data`, as the tool returns it. */
export const Pagination = Strict(
  {
    by: OneOfText(['cursor', 'link', 'last_item', 'page', 'offset'], {
      description:
        'cursor: the response contains a value for the next call. link: it contains the URL of the ' +
        'next page. last_item: the key of the last item is the value. page: pages are numbered. ' +
        'offset: items are skipped.',
    }),
    argument: Text('Argument that requests the next page.'),
    items: Path('Path of the list of a page in `data`.'),
    tool: optional(
      Text('Tool that reads further pages, if it is another one. It is called with `argument` alone.', {
        pattern: '^[A-Z0-9_]+$',
      }),
    ),
    next: optional(
      Path(
        'cursor: path of the value for the next call. link: path of the URL. Default for link: the ' +
          'header `Link` with rel="next" (RFC 8288).',
      ),
    ),
    pattern: optional(
      Text('cursor: regular expression whose first group is the value, for a longer text.', {
        maxLength: 200,
      }),
    ),
    next_header: optional(Text('cursor: header with the value for the next call, lower case.')),
    parameter: optional(
      Text(
        'link: query parameter of the URL with the value of the argument. Default: the name of the argument.',
      ),
    ),
    also: optional(TextMap('link: further arguments to the query parameters of the URL with their values.')),
    item_key: optional(Path('last_item: path of the value in an item. Default `id`.')),
    first: optional(
      Type.Integer({ minimum: 0, maximum: 1, description: 'page: number of the first page. Default 1.' }),
    ),
    size: optional(
      Text(
        'page, offset, last_item: argument with the number of items of a page. A page with fewer items ' +
          'is the last one.',
      ),
    ),
    more: optional(Path('Path of a value that is true, or the text `true`, when there are more pages.')),
    last: optional(Path('Path of a value that is true, or the text `true`, on the last page.')),
    total: optional(Path('offset: path of the total number of items.')),
    pages: optional(Path('page: path of the total number of pages.')),
  },
  {
    description:
      'How further pages are requested. The option `paging` of a call uses it. A model reads the ' +
      'descriptions of the arguments.',
  },
)

export type PaginationManifest = Static<typeof Pagination>
