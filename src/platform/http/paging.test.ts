import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from './api-error.ts'
import { boundedPageOf, pageOf, readPage, slicePage } from './paging.ts'

const cursor = (text: string) => Buffer.from(text).toString('base64')

test('paging: a page has 20 items by default and at most 1000', () => {
  assert.deepEqual(readPage({}), { page: 1, limit: 20, offset: 0 })
  assert.deepEqual(readPage({ limit: null, cursor: null }), { page: 1, limit: 20, offset: 0 })
  for (const [asked, got] of [
    [1, 1],
    [1_000, 1_000],
    [1_001, 1_000],
    [9_999, 1_000],
    [1e20, 1_000],
  ] as const)
    assert.equal(readPage({ limit: asked }).limit, got)
})

test('paging: the cursor of page 2 is Mi0yMA==, and its limit has priority', () => {
  assert.equal(pageOf(['x'], 21, readPage({})).next_cursor, 'Mi0yMA==')
  assert.deepEqual(readPage({ cursor: 'Mi0yMA==', limit: 5 }), { page: 2, limit: 20, offset: 20 })
  assert.deepEqual(
    readPage({ cursor: 'Mi0yMA', limit: 5 }),
    { page: 2, limit: 20, offset: 20 },
    'padding may be lost on the way',
  )
  assert.deepEqual(readPage({ cursor: cursor('3-9999') }), { page: 3, limit: 1_000, offset: 2_000 })
})

test('paging: pages start at 1, and the last cursor is null', () => {
  assert.deepEqual(pageOf([1, 2], 5, { page: 1, limit: 2, offset: 0 }), {
    items: [1, 2],
    total_items: 5,
    total_pages: 3,
    current_page: 1,
    next_cursor: cursor('2-2'),
  })
  assert.deepEqual(pageOf([5], 5, { page: 3, limit: 2, offset: 4 }), {
    items: [5],
    total_items: 5,
    total_pages: 3,
    current_page: 3,
    next_cursor: null,
  })
  assert.deepEqual(pageOf([], 0, { page: 1, limit: 20, offset: 0 }), {
    items: [],
    total_items: 0,
    total_pages: 0,
    current_page: 1,
    next_cursor: null,
  })
  assert.equal(pageOf([], 5, { page: 9, limit: 2, offset: 16 }).next_cursor, null)
})

test('paging: the cursors visit every item once', () => {
  const all = Array.from({ length: 23 }, (_, i) => i)
  for (const limit of [1, 5, 22, 23, 24]) {
    const seen: number[] = []
    for (let next: string | null | undefined, turn = 0; next !== null && turn < 30; turn++) {
      const page = readPage(next ? { cursor: next } : { limit })
      const { items, total } = slicePage(all, page)
      seen.push(...items)
      next = pageOf(items, total, page).next_cursor
    }
    assert.deepEqual(seen, all)
  }
})

test('paging: an invalid cursor is rejected', () => {
  for (const wrong of [
    '',
    'nonsense',
    cursor('0-20'),
    cursor('2-0'),
    cursor('-1-20'),
    cursor('2'),
    cursor('2-20-'),
    cursor(' 2-20'),
    cursor('2-20000'),
    cursor('99999999-1'),
    cursor('1e3-20'),
    '💥',
  ]) {
    assert.throws(
      () => readPage({ cursor: wrong }),
      (error: ApiError) =>
        error instanceof ApiError &&
        error.status === 400 &&
        error.details[0] === 'Error in query.cursor: is not a cursor of this API',
      wrong,
    )
  }
})

test('paging: a list that is not counted to its end has numbers that agree with its cursor', () => {
  const many = { total: 10_000, isMinimum: true }
  const at = (page: number) => readPage({ cursor: cursor(`${page}-2`) })
  const last = ['7', 'evt_1']
  const numbers = ({ items: _items, ...rest }: ReturnType<typeof boundedPageOf>) => rest
  assert.deepEqual(numbers(boundedPageOf(['x', 'y'], many, at(1), last)), {
    total_items: 10_000,
    total_pages: 5_000,
    current_page: 1,
    next_cursor: cursor('2-2-["7","evt_1"]'),
    total_is_minimum: true,
  })
  assert.deepEqual(numbers(boundedPageOf(['x', 'y'], many, at(6_000), last)), {
    total_items: 12_001,
    total_pages: 6_001,
    current_page: 6_000,
    next_cursor: cursor('6001-2-["7","evt_1"]'),
    total_is_minimum: true,
  })
  assert.deepEqual(numbers(boundedPageOf(['x'], many, at(6_001), null)), {
    total_items: 12_001,
    total_pages: 6_001,
    current_page: 6_001,
    next_cursor: null,
    total_is_minimum: true,
  })
  const few = boundedPageOf(['x', 'y'], { total: 3, isMinimum: false }, at(1), last)
  assert.deepEqual(
    [few.total_items, few.next_cursor, few.total_is_minimum],
    [3, cursor('2-2-["7","evt_1"]'), false],
  )
})

test('paging: a cursor has the position of the last row, and anything else after the limit is no cursor', () => {
  const page = readPage({})
  assert.equal(pageOf(['x'], 1, page, null).next_cursor, null)
  assert.equal(
    pageOf(['x'], 1, page, ['é', '2']).next_cursor,
    cursor('2-20-["é","2"]'),
    'the end is where the list ends',
  )
  assert.equal(pageOf(['x'], 99, page, null).next_cursor, null)
  assert.deepEqual(readPage({ cursor: cursor('2-20-["é","2"]'), limit: 5 }), {
    page: 2,
    limit: 20,
    offset: 20,
    after: ['é', '2'],
  })
  for (const text of [
    '2-20-',
    '2-20-x',
    '2-20-{}',
    '2-20-[1]',
    '2-20-[["a"]]',
    '2-20-["\\u0000"]',
    '2-20-["a"',
    '0-20-["a"]',
  ])
    assert.throws(() => readPage({ cursor: cursor(text) }), /is not a cursor of this API/, text)
})
