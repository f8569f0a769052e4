import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { importPostman } from '../import.ts'
import { damaged, loadImported, rejectionOf } from '#fixtures/imported-toolkits.ts'
import { collection, propertiesOf, type Json, one, imported } from '#fixtures/postman-import.ts'

test('Postman import: invalid collections are rejected, and cyclic variables end', () => {
  const refusal = (source: string) => rejectionOf(() => importPostman(source))
  for (const [source, why] of [
    ['', 'not_readable'],
    ['{}', 'not_postman'],
    ['{"item":5}', 'not_postman'],
    ['{"item":[]}', 'no_operations'],
    ['{"item":[{"name":"A","request":{}}]}', 'no_operations'],
    ['{"requests":[],"order":[]}', 'not_postman'],
    [`{"item":${'[{"item":'.repeat(300)}[]${'}]'.repeat(300)}}`, 'too_large'],
    ['{"item":[{"request":{"url":"https://x.example","method":"BREW"}}]}', 'no_operations'],
  ] as const)
    assert.equal(refusal(source), why, source.slice(0, 60))
  checkLimits()
  const proto = importPostman(
    JSON.stringify(
      collection([
        {
          name: 'A',
          request: {
            method: 'POST',
            url: '{{baseUrl}}/a',
            body: { mode: 'raw', raw: '{"__proto__": {"polluted": 1}, "constructor": 1}' },
          },
        },
        { name: 'B', request: { url: { raw: '{{baseUrl}}/b', query: [{ key: '__proto__', value: '1' }] } } },
      ]),
    ),
  )
  assert.deepEqual(
    [
      Object.keys(propertiesOf(proto)),
      proto.report.refused.map(({ cause }) => cause),
      ({} as Json)['polluted'],
    ],
    [['constructor'], ['unsafe_name'], undefined],
  )
})

function checkLimits(): void {
  const bomb = Array.from({ length: 30 }, (_, n) => ({
    key: `v${n}`,
    value: `{{v${(n + 1) % 30}}}{{v${(n + 1) % 30}}}`,
  }))
  assert.equal(
    one(
      { url: 'https://api.shop.example/{{v0}}', header: [{ key: 'x-v', value: '{{v0}}' }] },
      { variable: bomb },
    ).tools.length,
    1,
  )
  assert.equal(
    importPostman(JSON.stringify({ collection: collection([{ name: 'A', request: '{{baseUrl}}/a' }]) })).tools
      .length,
    1,
    'as the API of Postman answers',
  )
  const slow = `{"a": ${'/*'.repeat(200_000)}${'"\\'.repeat(200_000)}{{${' '.repeat(200_000)}`
  assert.equal(
    one(
      { method: 'POST', url: `{{${' '.repeat(5_000)}x.example`, body: { mode: 'raw', raw: slow } },
      {},
      { name: slow },
    ).tools.length,
    1,
    'no text takes longer than reading it',
  )
}

const document = collection([
  {
    name: 'F',
    auth: { type: 'apikey', apikey: [{ key: 'key', value: 'k' }] },
    item: [
      {
        name: 'A',
        response: [{ code: 200, body: '{"a":1}' }],
        request: {
          method: 'POST',
          header: [{ key: 'h', value: 'v' }],
          url: {
            raw: '{{baseUrl}}/a/:id?q=1',
            host: ['x'],
            path: ['a'],
            query: [{ key: 'q', value: '1' }],
            variable: [{ key: 'id', value: '1' }],
          },
          body: {
            mode: 'urlencoded',
            urlencoded: [{ key: 'a', value: 'b' }],
            graphql: { query: '{ a }' },
            raw: '{"a":1}',
          },
        },
      },
    ],
  },
])

const JUNK = [
  '{{',
  '}}',
  '{{x}}',
  ':',
  '/:/{{',
  'raw',
  'graphql',
  'formdata',
  'file',
  'https://',
  '//',
  '?',
  'a\r\nb',
]

test('Postman import: any damaged collection is rejected or gives a toolkit that loads', () => {
  fc.assert(
    fc.property(damaged(document, JUNK), (copy) => {
      rejectionOf(() => loadImported(imported(copy)))
    }),
    { numRuns: 400 },
  )
})
