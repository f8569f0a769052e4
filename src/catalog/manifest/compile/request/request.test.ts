import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogFromSources } from '../../load/load.ts'
import { readAllTools } from '../../../query/select.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { renderRequest } from './request.ts'
import { MissingValue, UnsafeValue } from '../template/errors.ts'
import { lookupFrom } from '../template/templates.ts'

/** Renders a request whose arguments are all texts named in `names`. */
function rendered(
  request: Record<string, unknown>,
  names: string[],
  args: Record<string, unknown>,
  connection: Record<string, unknown> = { subdomain: 's' },
) {
  const properties = Object.fromEntries(names.map((name) => [name, { description: name }]))
  const catalog = catalogFromSources([
    sampleSource({}, [
      sampleTool({
        input: { type: 'object', properties },
        request: { method: 'POST', path: '/x', ...request },
      }),
    ]),
  ])
  return renderRequest([...readAllTools(catalog)][0]!.request!, args, lookupFrom(connection))
}

test('request template: a list of names sends these arguments and leaves out absent ones', () => {
  const request = rendered(
    { path: '/o/{id}', query: ['q', 'page'], headers: ['x-a'], body: ['title', 'note'] },
    ['id', 'q', 'page', 'x-a', 'title', 'note'],
    { id: 'a b', q: 'x', title: 'T', note: null },
  )
  assert.deepEqual(request, {
    method: 'POST',
    path: '/o/a%20b',
    query: [['q', 'x']],
    headers: {},
    body: { title: 'T', note: null },
    bodyType: 'json',
  })
})

test('request template: a JSON template keeps literals, inserts arguments and drops absent ones', () => {
  const body = {
    fixed: [1, { a: true }],
    when: { date: { $: 'day' }, zone: { $: 'zone' } },
    list: [{ $: 'a' }, { $: 'b' }],
    text: 'by {who}',
    literal: 'only {{braces}',
  }
  const names = ['day', 'zone', 'a', 'b', 'who']
  assert.deepEqual(rendered({ body }, names, {}).body, { fixed: [1, { a: true }], literal: 'only {braces}' })
  assert.deepEqual(rendered({ body }, names, { day: '1', b: 2, who: 'me' }).body, {
    fixed: [1, { a: true }],
    when: { date: '1' },
    list: [2],
    text: 'by me',
    literal: 'only {braces}',
  })
})

test('request template: a declared body is sent even when empty, and one argument can be the whole body', () => {
  assert.deepEqual(rendered({ body: ['a'] }, ['a'], {}).body, {})
  assert.deepEqual(rendered({ body: { $: 'a' } }, ['a'], { a: [1] }).body, [1])
  assert.equal(rendered({ body: { $: 'a' } }, ['a'], {}).body, undefined)
})

test('request template: `as` converts an argument to another form', () => {
  const body = {
    csv: { $: 'l', as: 'csv' },
    json: { $: 'o', as: 'json' },
    string: { $: 'n', as: 'string' },
    number: { $: 's', as: 'number' },
    base64: { $: 's', as: 'base64' },
  }
  assert.deepEqual(
    rendered({ body }, ['l', 'o', 'n', 's'], { l: ['a', 'b'], o: { a: 1 }, n: 5, s: '12' }).body,
    { csv: 'a,b', json: '{"a":1}', string: '5', number: 12, base64: 'MTI=' },
  )
})

test('request template: a list in the query is repeated, comma-separated or bracketed', () => {
  const request = (style: string) =>
    rendered({ query: ['l'], query_style: { l: style } }, ['l'], { l: ['a', 'b'] }).query
  assert.deepEqual(request('repeat'), [
    ['l', 'a'],
    ['l', 'b'],
  ])
  assert.deepEqual(request('comma'), [['l', ['a', 'b']]])
  assert.deepEqual(request('brackets'), [
    ['l[]', 'a'],
    ['l[]', 'b'],
  ])
  assert.deepEqual(
    rendered({ query: ['l'], query_style: { l: 'brackets' } }, ['l'], { l: { a: { b: true } } }).query,
    [['l[a][b]', 'true']],
  )
  assert.deepEqual(rendered({ query: ['l'] }, ['l'], { l: [] }).query, [])
  assert.deepEqual(rendered({ query: ['l'] }, ['l'], { l: null }).query, [])
})

test('request template: an argument never shadows a connection value, and undeclared ones are ignored', () => {
  const request = rendered(
    { body: { key: '{generic_api_key}', id: { $: 'id' } } },
    ['id'],
    { id: '1', generic_api_key: 'mine' },
    { generic_api_key: 'theirs' },
  )
  assert.deepEqual(request.body, { key: 'theirs', id: '1' })
})

test('request template: a missing connection value is an error with its name', () => {
  assert.throws(
    () => rendered({ body: { key: '{generic_api_key}' } }, [], {}, {}),
    (error) => error instanceof MissingValue && error.missing === 'generic_api_key',
  )
})

test('request template: an argument cannot add a header or traverse the path', () => {
  assert.throws(
    () => rendered({ headers: ['x-a'] }, ['x-a'], { 'x-a': 'a\r\nauthorization: b' }),
    UnsafeValue,
  )
  assert.throws(() => rendered({ path: '/a/{id}/b' }, ['id'], { id: '..' }), UnsafeValue)
})

test('request template: arguments with prototype names are ordinary arguments', () => {
  assert.deepEqual(rendered({ query: ['constructor'] }, ['constructor'], {}).query, [])
  assert.deepEqual(rendered({ query: ['constructor'] }, ['constructor'], { constructor: 'x' }).query, [
    ['constructor', 'x'],
  ])
})
