import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { QueryStyle, QueryValue } from '../../../types/index.ts'
import { UnsafeValue } from '../template/errors.ts'
import { serializeObject, serializeParameter, serializePathParameter } from './parameter-serialization.ts'

const RGB = { R: 100, G: 200, B: 150 }
const COLORS = ['blue', 'black', 'brown']

/** As the engine writes pairs into an address. */
const queryText = (pairs: [string, QueryValue][]) =>
  pairs
    .map(([name, value]) => `${encodeURIComponent(name)}=${[value].flat().map(encodeURIComponent).join(',')}`)
    .join('&')
const written = (value: unknown, style: QueryStyle) => queryText(serializeParameter('color', value, style))

test('parameter serialization: query styles match the table of the OpenAPI specification', () => {
  for (const [style, list, object] of [
    [
      'repeat',
      'color=blue&color=black&color=brown',
      'color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D',
    ],
    ['comma', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
    ['space', 'color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150'],
    ['pipe', 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
    ['tab', 'color=blue%09black%09brown', 'color=R%09100%09G%09200%09B%09150'],
    [
      'brackets',
      'color%5B%5D=blue&color%5B%5D=black&color%5B%5D=brown',
      'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150',
    ],
    ['spread', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  ] as const) {
    assert.equal(written(COLORS, style), list, style)
    assert.equal(written(RGB, style), object, style)
    assert.equal(written('blue', style), 'color=blue')
    for (const nothing of [null, undefined, [], {}])
      assert.equal(
        written(nothing, style),
        style === 'repeat' && nothing && !Array.isArray(nothing) ? 'color=%7B%7D' : '',
        style,
      )
  }
})

test('parameter serialization: path styles match the table of the OpenAPI specification', () => {
  for (const [style, one, list, object] of [
    ['simple', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['simple_explode', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
    ['label', '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
    ['label_explode', '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
    ['matrix', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
    ['matrix_explode', ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
  ] as const) {
    assert.deepEqual(
      [
        serializePathParameter('color', 'blue', style),
        serializePathParameter('color', COLORS, style),
        serializePathParameter('color', RGB, style),
      ],
      [one, list, object],
      style,
    )
    for (const nothing of [null, undefined, [], {}, ''])
      assert.equal(serializePathParameter('color', nothing, style), undefined)
  }
  assert.equal(serializePathParameter('a', 'x/y,z;.', 'matrix'), ';a=x%2Fy%2Cz%3B.')
  assert.deepEqual(
    [
      serializeObject(RGB, ','),
      serializeObject(RGB, '='),
      serializeObject('x', ','),
      serializeObject(null, '='),
    ],
    ['R,100,G,200,B,150', 'R=100,G=200,B=150', 'x', null],
  )
})

test('parameter serialization: brackets number lists of objects and leave out null at every depth', () => {
  assert.deepEqual(serializeParameter('a', [{ b: 1, c: null }, { b: [1, 2] }, null], 'brackets'), [
    ['a[0][b]', '1'],
    ['a[1][b][]', '1'],
    ['a[1][b][]', '2'],
  ])
  assert.deepEqual(serializeParameter('a', { b: { c: { d: true } } }, 'brackets'), [['a[b][c][d]', 'true']])
})

const word = fc.string({ minLength: 1, unit: 'grapheme' })
const key = fc.stringMatching(/^[A-Za-z0-9 ,&=+%é_-]{1,8}$/)
const list = fc.array(word, { minLength: 1 })

/** RFC 3986 and RFC 6570: delimiters are read before percent-decoding. */
const parameters = (query: string) =>
  query.split('&').map((pair) => {
    const at = pair.indexOf('=')
    return [decodeURIComponent(pair.slice(0, at)), pair.slice(at + 1)] as const
  })

test('parameter serialization: an RFC decoder restores every list', () => {
  fc.assert(
    fc.property(list, (items) => {
      assert.deepEqual(
        parameters(written(items, 'repeat')).map(([, value]) => decodeURIComponent(value)),
        items,
      )
      assert.deepEqual(parameters(written(items, 'comma'))[0]![1].split(',').map(decodeURIComponent), items)
      assert.deepEqual(new URLSearchParams(written(items, 'brackets')).getAll('color[]'), items)
      assert.deepEqual(
        serializePathParameter('color', items, 'simple')!.split(',').map(decodeURIComponent),
        items,
      )
      assert.deepEqual(
        serializePathParameter('color', items, 'matrix_explode')!
          .split(';')
          .slice(1)
          .map((one) => decodeURIComponent(one.slice('color='.length))),
        items,
      )
    }),
  )
})

test('parameter serialization: a decoder restores every object', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(key, word), { minLength: 1, selector: ([name]) => name }),
      (entries) => {
        const object = Object.fromEntries(entries)
        const known = Object.entries(object)
        assert.deepEqual([...new URLSearchParams(written(object, 'spread'))], known)
        assert.deepEqual(
          parameters(written(object, 'comma'))[0]![1].split(',').map(decodeURIComponent),
          known.flat(),
        )
        assert.deepEqual(
          [...new URLSearchParams(written(object, 'brackets'))].map(([name, value]) => [
            name.slice('color['.length, -1),
            value,
          ]),
          known,
        )
        assert.deepEqual(
          serializePathParameter('color', object, 'simple_explode')!
            .split(',')
            .map((pair) => pair.split('=').map(decodeURIComponent)),
          known,
        )
      },
    ),
  )
})

/** What PHP, Rails and qs make of names in brackets. */
function decodeBrackets(pairs: readonly [string, string][]): unknown {
  const root: Record<string, unknown> = Object.create(null)
  for (const [name, value] of pairs) {
    const steps = [
      name.slice(0, name.indexOf('[')),
      ...[...name.matchAll(/\[([^\]]*)\]/g)].map(([, step]) => step!),
    ]
    let at = root as Record<string, unknown> | unknown[]
    steps.forEach((step, index) => {
      const next = steps[index + 1]
      const place = Array.isArray(at) && step === '' ? at.length : step
      const record = at as Record<string, unknown>
      record[place] ??=
        next === undefined ? value : next === '' || /^\d+$/.test(next) ? [] : Object.create(null)
      at = record[place] as Record<string, unknown>
    })
  }
  return root['color']
}

test('parameter serialization: a bracket decoder restores nested values', () => {
  const name = fc.stringMatching(/^[a-z]{1,5}$/)
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 2 }, tie('leaf'), tie('object')),
    leaf: fc.oneof(word, fc.array(word, { minLength: 1, maxLength: 3 })),
    object: fc.oneof(
      fc.dictionary(name, tie('tree'), { minKeys: 1, maxKeys: 3, noNullPrototype: false }),
      fc.array(fc.dictionary(name, tie('tree'), { minKeys: 1, maxKeys: 3, noNullPrototype: false }), {
        minLength: 1,
        maxLength: 3,
      }),
    ),
  }))
  fc.assert(
    fc.property(fc.dictionary(name, tree, { minKeys: 1, maxKeys: 3, noNullPrototype: false }), (value) => {
      const read = decodeBrackets(serializeParameter('color', value, 'brackets') as [string, string][])
      assert.deepEqual(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('parameter serialization: nesting that would overflow the stack is rejected', () => {
  let deep: unknown = 'x'
  for (let depth = 0; depth < 5_000; depth++) deep = { a: deep }
  assert.throws(() => serializeParameter('color', deep, 'brackets'), UnsafeValue)
})
