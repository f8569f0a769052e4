import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainText } from './words.ts'

test('imported descriptions: code and placeholders stay, markup goes', () => {
  const cases: [string, string][] = [
    [
      'Use `<team>/<repo>` or `src/**/*.ts`; `Bearer <token>`',
      'Use `<team>/<repo>` or `src/**/*.ts`; `Bearer <token>`',
    ],
    ['a query such as `{__name__=~"up"}`', 'a query such as `{__name__=~"up"}`'],
    [
      '`before`=(`<image-name>[:<tag>]` or `<image id>`)',
      '`before`=(`<image-name>[:<tag>]` or `<image id>`)',
    ],
    [
      'the path <team>/<repo>, as in src/**/*.ts and __init__',
      'the path <team>/<repo>, as in src/**/*.ts and __init__',
    ],
    [
      '<p>Returns <b>all</b> items.<br/>Use <a href="https://x.example">this</a>.</p>',
      'Returns all items. Use this.',
    ],
    ['**Bold** and [a link](https://x.example) &lt;x&gt;', 'Bold and a link <x>'],
    ['```json\n{"a": 1}\n```', '{"a": 1}'],
  ]
  for (const [source, expected] of cases) assert.equal(plainText(source, 200), expected)
})
