import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileFieldSelection } from './select-fields.ts'
import { type PagePart, splitPages } from './split-pages.ts'

const WHOLE = {
  total: 3,
  'a.b': 1,
  items: [{ id: 1, name: 'one', tags: [{ k: 'x', v: 1 }] }, { id: 2, name: null }, 'text', [{ id: 3 }]],
  empty: {},
  deep: { x: { y: 'z', w: 0 } },
}

test('fields: paths select values at their place, and missing paths are reported', () => {
  const cases: readonly [string[], unknown, string[]][] = [
    [['total'], { total: 3 }, []],
    [['items.id'], { items: [{ id: 1 }, { id: 2 }, [{ id: 3 }]] }, []],
    [
      ['items[].id', 'items[].name'],
      { items: [{ id: 1, name: 'one' }, { id: 2, name: null }, [{ id: 3 }]] },
      [],
    ],
    [['deep.*.y'], { deep: { x: { y: 'z' } } }, []],
    [['*.x'], { deep: { x: { y: 'z', w: 0 } }, items: [[]] }, []],
    [['a\\.b'], { 'a.b': 1 }, []],
    [['items.tags.v', 'total'], { total: 3, items: [{ tags: [{ v: 1 }] }, []] }, []],
    [['nothing', 'total.more', 'items.nope'], { items: [[]] }, ['nothing', 'total.more', 'items.nope']],
    [['deep', 'deep.x.y'], { deep: { x: { y: 'z', w: 0 } } }, ['deep.x.y']],
    [['__proto__', 'constructor'], {}, ['__proto__', 'constructor']],
  ]
  for (const [paths, data, missing] of cases)
    assert.deepEqual(compileFieldSelection(paths)(WHOLE), { data, missing }, paths.join())
  assert.equal(
    JSON.stringify(compileFieldSelection(['__proto__.a'])(JSON.parse('{"__proto__":{"a":1,"b":2}}')).data),
    '{"__proto__":{"a":1}}',
  )
  for (const wrong of ['', '.', 'a..b', '[]', 'a.[]', Array(21).fill('a').join('.')])
    assert.throws(() => compileFieldSelection([wrong]), { slug: 'HTTP_BadRequest' }, wrong)
  let nested: unknown = { id: 1 }
  for (let n = 0; n < 50_000; n++) nested = [nested]
  assert.deepEqual(compileFieldSelection(['a.id'])({ a: nested }).missing, ['a.id'])
})

/** Puts a page behind what there is, as the guide describes it. */
function appendPage(whole: unknown, { data, begins_at: at }: PagePart): unknown {
  const [path = '', within] = at.split('@')
  return join(whole, data, path.match(/\[\d+\]|[^.[\]]+/g) ?? [], within !== undefined)
}
function join(whole: unknown, more: unknown, path: string[], isWithin: boolean): unknown {
  if (!path.length && isWithin) return String(whole) + String(more)
  if (Array.isArray(whole) && Array.isArray(more)) {
    if (path.length > 1 || isWithin)
      return [...whole.slice(0, -1), join(whole.at(-1), more[0], path.slice(1), isWithin), ...more.slice(1)]
    return [...whole, ...more]
  }
  const [name = ''] = path
  const [a, b] = [whole as Record<string, unknown>, more as Record<string, unknown>]
  return { ...a, ...b, ...(name in a ? { [name]: join(a[name], b[name], path.slice(1), isWithin) } : {}) }
}

test('pages: appendPage pages are the whole data, and no page is much larger than requested', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.string({ unit: 'binary', minLength: 300, maxLength: 3_000 }).map((one) => one.toWellFormed()),
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.constant(null),
      fc.boolean(),
      fc.array(tie('tree'), { maxLength: 12 }),
      fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('tree'), { maxKeys: 6 }),
    ),
  }))
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tree, { maxKeys: 6 }),
      fc.integer({ min: 100, max: 600 }),
      (data, tokens) => {
        const plain = JSON.parse(JSON.stringify(data)) as Record<string, unknown>
        const pages = splitPages(plain, tokens)
        assert.deepEqual(pages.slice(1).reduce<unknown>(appendPage, pages[0]!.data), plain)
        for (const page of pages)
          assert.ok(
            Buffer.byteLength(JSON.stringify(page.data)) <= tokens * 3 + 200,
            'a page holds what was asked for',
          )
      },
    ),
    { numRuns: 150 },
  )
})

test('pages: rows stay whole, a page has its place, and deep or hostile data is safe', () => {
  const rows = Array.from({ length: 50 }, (_, id) => ({ id, text: 'x'.repeat(100) }))
  const pages = splitPages({ total: 50, rows }, 500)
  assert.ok(
    pages.length > 3 &&
      pages.every(({ data }) => (data['rows'] as typeof rows).every((row) => row.text.length === 100)),
  )
  assert.equal(pages[1]!.begins_at, `rows[${(pages[0]!.data['rows'] as unknown[]).length}]`)
  let deep: unknown = 'x'.repeat(5_000)
  for (let n = 0; n < 1_000; n++) deep = { a: deep }
  assert.ok(splitPages({ deep }, 500).length >= 1)
  const [page] = splitPages(
    JSON.parse(`{"__proto__":{"polluted":true},"more":"${'y'.repeat(3_000)}"}`) as Record<string, unknown>,
    500,
  )
  assert.ok(JSON.stringify(page!.data).startsWith('{"__proto__":{"polluted":true}'))
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  const large = splitPages(
    { list: Array.from({ length: 40_000 }, (_, n) => ({ n, t: 'y'.repeat(60) })) },
    500,
  )
  assert.ok(large.length > 1_000)
})
