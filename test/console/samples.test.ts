import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { routes } from '../../src/contract/index.ts'
import type { Route } from '../../src/contract/route.ts'
import { asCommand } from '../../src/console/shell/samples/command.ts'
import { asCurl, asPython, asTypeScript, isOrganization } from '../../src/console/shell/samples/http.ts'
import { openApiDocument } from '../../src/platform/http/openapi/document.ts'
import { listOperations } from '../../src/platform/http/openapi/operation-index.ts'
import { cli } from '../fixtures/cli.ts'

const SERVER = 'http://localhost:3900'
const document = openApiDocument(routes, { publicUrl: SERVER, versions: ['v3.1'] })
const operations = listOperations(document).items
/** Those with something to convert. */
const CONVERTIBLE = routes.filter(({ streams, example: { query, body } }) => !streams && (query ?? body))

/** The example request of a route, as a page of the console sends it. */
function requestOf({ method, path, example, audience }: Route) {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(example.params?.[name] ?? "a b'c"),
  )
  const query = (example.query ?? {}) as Record<string, string>
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const url = `${SERVER}/api/v3.1${filled}${search && `?${search}`}`
  return { method, path: filled, query, body: example.body, url, audience }
}

/** What a shell passes to a command in each of these scripts. */
function wordsOf(scripts: readonly string[], command: string): string[][] {
  const lines = scripts.map((script) => script.replace(new RegExp(`^${command} `, 'm'), `printf '%s\\0' `))
  const printed = execFileSync('sh', ['-c', lines.join(`\nprintf '\\1'\n`)], {
    encoding: 'utf8',
    env: { API_KEY: 'ak_1' },
  })
  return printed.split('\u0001').map((words) => words.split('\0').slice(0, -1))
}

test('show as code: the commands of operations with query or body send the request of the page', async (t) => {
  const { run } = cli(t)
  const requests = CONVERTIBLE.map(requestOf)
  const commands = requests.map((request) => asCommand(request, operations, SERVER))
  assert.deepEqual(
    CONVERTIBLE.filter((_, at) => commands[at] === undefined).map(({ id }) => id),
    ['projects.export', 'toolkits.import'],
  )
  const words = wordsOf(
    commands.map((command) => command ?? ''),
    'patchbay',
  )
  for (const [at, request] of requests.entries()) {
    const command = commands[at]
    if (command === undefined) continue
    const { seen, err } = await run(...(words[at] ?? []))
    const [sent] = seen
    assert.ok(sent, `${command}\n${err}`)
    const expected = new URL(request.url)
    assert.equal(sent.method, request.method, command)
    assert.equal(sent.url.pathname, expected.pathname, command)
    assert.deepEqual(
      Object.fromEntries(sent.url.searchParams),
      Object.fromEntries(expected.searchParams),
      command,
    )
    assert.deepEqual(sent.body ?? {}, request.body ?? {}, command)
  }
})

test('show as code: the key is that of the audience', () => {
  for (const route of routes.filter(({ audience }) => audience !== 'public'))
    assert.equal(isOrganization(route), route.audience === 'organization', `${route.id} ${route.path}`)
})

test('show as code: curl, TypeScript and Python have the URL, the key, the headers and the body', () => {
  const body = { text: "it's", on: true, none: null, list: [1, { deep: [] }] }
  const headers = { 'idempotency-key': "it's 1" }
  const request = {
    method: 'POST' as const,
    path: '/tools/x',
    body,
    headers,
    url: `${SERVER}/api/v3.1/tools/x?a='`,
  }
  const [words = []] = wordsOf([asCurl(request)], 'curl')
  assert.deepEqual(words.slice(0, 4), ['-s', '-X', 'POST', `${SERVER}/api/v3.1/tools/x?a=%27`])
  assert.ok(words.includes('x-api-key: ak_1'))
  assert.ok(words.includes("idempotency-key: it's 1"))
  assert.deepEqual(JSON.parse(words.at(-1) ?? ''), body)

  const sent: unknown[] = []
  const code = asTypeScript(request).replaceAll('await ', '')
  // oxlint-disable-next-line typescript/no-implied-eval -- the code that people copy must run
  new Function('fetch', 'process', code)(
    (url: string, init: object) => {
      sent.push(url, init)
      return { ok: true, json: () => ({}) }
    },
    { env: { API_KEY: 'ak_1' } },
  )
  assert.deepEqual(sent, [
    request.url,
    {
      method: 'POST',
      headers: { 'x-api-key': 'ak_1', ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  ])
  assert.match(
    asPython(request),
    /"on": True,\n {8}"none": None,\n {8}"list": \[\n {12}1,\n {12}\{\n {16}"deep": \[\],/,
  )
  assert.match(
    asPython(request),
    /headers=\{"x-api-key": os\.environ\["API_KEY"\], "idempotency-key": "it's 1"\}/,
  )
  assert.match(asPython(request), /requests\.request\(\n {4}"POST",/)
})
