import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PaginationManifest } from '../../format/pagination.ts'
import { compilePagination } from './pagination.ts'

type Page = {
  args?: Record<string, unknown>
  data?: Record<string, unknown>
  headers?: Record<string, string>
}

function next(
  manifest: Partial<PaginationManifest> & Pick<PaginationManifest, 'by'>,
  { args = {}, data = { items: [1] }, headers = {} }: Page,
) {
  const paging = compilePagination({ argument: 'page', items: 'items', ...manifest })
  const { page, ...also } = paging.next({ args, data, headers, items: paging.items(data) }) ?? {}
  return Object.keys(also).length > 0 ? { page, ...also } : page
}
const link = (text: string) => ({ headers: { link: text } })

/** A name, the manifest, a page, and the request for the next page. */
const PAGINATIONS = [
  ['cursor', { by: 'cursor', next: 'meta.cursor' }, { data: { items: [], meta: { cursor: 'c2' } } }, 'c2'],
  [
    'cursor that is empty',
    { by: 'cursor', next: 'meta.cursor' },
    { data: { items: [1], meta: { cursor: '' } } },
    undefined,
  ],
  [
    'cursor that is null',
    { by: 'cursor', next: 'cursor' },
    { data: { items: [1], cursor: null } },
    undefined,
  ],
  [
    'cursor that is no text',
    { by: 'cursor', next: 'cursor' },
    { data: { items: [1], cursor: { a: 1 } } },
    undefined,
  ],
  [
    'cursor with has_more',
    { by: 'cursor', next: 'cursor', more: 'has_more' },
    { data: { items: [1], cursor: 'c', has_more: false } },
    undefined,
  ],
  ['cursor in a header', { by: 'cursor', next_header: 'x-next' }, { headers: { 'x-next': '7' } }, '7'],
  ['no header', { by: 'cursor', next_header: 'x-next' }, {}, undefined],
  [
    'link',
    { by: 'link' },
    link('<https://a.example/x?page=3&q=1>; rel="next", <https://a.example/x?page=9>; rel="last"'),
    '3',
  ],
  [
    'link, other order',
    { by: 'link' },
    link('<https://a.example/x?page=1>; rel="prev", </x?page=4>; title="a"; rel=next'),
    '4',
  ],
  ['link with several relations', { by: 'link' }, link('<https://a.example/x?page=4>; rel="last next"'), '4'],
  ['link that is the last', { by: 'link' }, link('<https://a.example/x?page=1>; rel="first"'), undefined],
  [
    'link whose name only looks so',
    { by: 'link' },
    link('<https://a.example/x?page=1>; rel="nextish"'),
    undefined,
  ],
  [
    'link in the body',
    { by: 'link', next: 'links.next', parameter: 'cursor' },
    { data: { items: [1], links: { next: '/api?cursor=a%2Bb' } } },
    'a+b',
  ],
  [
    'link without the parameter',
    { by: 'link', next: 'n' },
    { data: { items: [1], n: 'https://a.example/?x=1' } },
    undefined,
  ],
  [
    'cursor within an address',
    { by: 'cursor', next: 'url', pattern: '/query/([\\w-]+)$' },
    { data: { items: [1], url: '/services/query/01g-2000' } },
    '01g-2000',
  ],
  [
    'cursor that is not within it',
    { by: 'cursor', next: 'url', pattern: '/query/([\\w-]+)$' },
    { data: { items: [1], url: '/services' } },
    undefined,
  ],
  [
    'link under a key with a dot, with more arguments',
    { by: 'link', next: "['@odata.next'].url", parameter: '$skip', also: { top: '$top', gone: 'gone' } },
    { data: { items: [1], '@odata.next': { url: '/x?$skip=5&$top=2' } } },
    { page: '5', top: '2' },
  ],
  ['link that is nonsense', { by: 'link', next: 'n' }, { data: { items: [1], n: 'http://[' } }, undefined],
  [
    'last item',
    { by: 'last_item', more: 'has_more' },
    { data: { items: [{ id: 'a' }, { id: 'b' }], has_more: true } },
    'b',
  ],
  [
    'last item of a short page',
    { by: 'last_item', size: 'limit' },
    { args: { limit: 3 }, data: { items: [{ id: 'a' }] } },
    undefined,
  ],
  [
    'last item without a key',
    { by: 'last_item', item_key: 'key' },
    { data: { items: [{ id: 'a' }] } },
    undefined,
  ],
  ['page', { by: 'page', size: 'size' }, { args: { size: 1, page: 4 } }, 5],
  ['first page', { by: 'page', size: 'size' }, { args: { size: 1 } }, 2],
  ['page 0', { by: 'page', size: 'size', first: 0 }, { args: { size: 1 } }, 1],
  ['page as text', { by: 'page', size: 'size' }, { args: { size: 1, page: '4' } }, '5'],
  ['short page', { by: 'page', size: 'size' }, { args: { size: 2 } }, undefined],
  ['empty page', { by: 'page', pages: 'n' }, { data: { items: [], n: 9 } }, undefined],
  ['page before the last', { by: 'page', pages: 'n' }, { args: { page: 2 }, data: { items: [1], n: 3 } }, 3],
  [
    'page that is the last',
    { by: 'page', pages: 'n' },
    { args: { page: 3 }, data: { items: [1], n: 3 } },
    undefined,
  ],
  [
    'last of pages from 0',
    { by: 'page', pages: 'n', first: 0 },
    { args: { page: 2 }, data: { items: [1], n: 3 } },
    undefined,
  ],
  [
    'page with a sign of the end',
    { by: 'page', last: 'done' },
    { data: { items: [1], done: true } },
    undefined,
  ],
  ['offset', { by: 'offset', total: 'n' }, { args: { page: 10 }, data: { items: [1, 2], n: 13 } }, 12],
  [
    'offset at the end',
    { by: 'offset', total: 'n' },
    { args: { page: 10 }, data: { items: [1, 2], n: 12 } },
    undefined,
  ],
  [
    'offset of a page that the server made smaller',
    { by: 'offset', size: 'limit', total: 'n' },
    { args: { limit: 100 }, data: { items: [1, 2], n: 5 } },
    2,
  ],
  [
    'offset of a short page',
    { by: 'offset', size: 'limit' },
    { args: { limit: 3 }, data: { items: [1, 2] } },
    undefined,
  ],
] as [string, Parameters<typeof next>[0], Page, unknown][]

test('pagination: every kind finds the next page and the last page', () => {
  for (const [name, manifest, page, expected] of PAGINATIONS)
    assert.deepEqual(next(manifest, page), expected, name)
})

test('pagination: no response throws, and the next value is a short text or a number', () => {
  const by = fc.constantFrom<PaginationManifest['by']>('cursor', 'link', 'last_item', 'page', 'offset')
  const any = fc.anything({ maxDepth: 2 })
  fc.assert(
    fc.property(
      by,
      any,
      any,
      fc.string(),
      fc.array(any, { maxLength: 3 }),
      (kind, value, total, header, items) => {
        const manifest = {
          by: kind,
          ...(kind === 'cursor' || kind === 'link' ? { next: 'value' } : {}),
          ...(kind === 'offset' ? { total: 'total' } : {}),
          ...(kind === 'page' ? { pages: 'total' } : {}),
        }
        for (const headers of [{}, { link: header }] as Record<string, string>[]) {
          const found = next(manifest, { data: { items, value, total }, args: { page: value }, headers })
          assert.ok(
            found === undefined ||
              typeof found === 'number' ||
              (typeof found === 'string' && found.length <= 8_192),
          )
        }
      },
    ),
  )
})

test('pagination: a malformed Link header of 200,000 characters names no next page', () => {
  for (const text of [
    '<'.repeat(200_000),
    `<a>${';'.repeat(200_000)}`,
    `<a>; rel="${' '.repeat(200_000)}`,
    '<a>; rel="next'.repeat(20_000),
  ])
    assert.equal(next({ by: 'link' }, link(text)), undefined, text.slice(0, 20))
})
