import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { routes } from '../contract/index.ts'
import { OPERATIONS } from './generated/operations.ts'
import { Patchbay, PatchbayConnectionError, PatchbayError } from './index.ts'

/** The application on a port, and a client with the keys of its first project. */
async function startServer(t: TestContext) {
  const s = await testApp(t)
  await s.app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = s.app.http.server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}/`
  const { projectApiKey: apiKey, organizationApiKey } = s.keys
  return { ...s, baseUrl, patchbay: new Patchbay({ baseUrl, apiKey, organizationApiKey }) }
}

interface Answer {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

/** A client whose requests get these answers in turn; `undefined` is a lost connection. */
function scriptedClient(answers: readonly (Answer | undefined)[]) {
  const requests: { url: string; init: RequestInit }[] = []
  const fetch = (async (url: string, init: RequestInit) => {
    requests.push({ url, init })
    const answer = answers[requests.length - 1]
    if (!answer) throw new TypeError('fetch failed')
    return Response.json(answer.body ?? {}, { status: answer.status, headers: answer.headers ?? {} })
  }) as typeof globalThis.fetch
  return { requests, patchbay: new Patchbay({ baseUrl: 'http://patchbay.test', apiKey: 'ak_1', fetch }) }
}

test('client: every operation of v3.1 is a method of its group, with the method and path of the contract', () => {
  const declared = routes.map(({ id, method, path }) => [id, method, path.replace(/:(\w+)/g, '{$1}')])
  const built = Object.entries(OPERATIONS).map(([id, text]) => {
    const [method, , path] = text.split(' ')
    return [id, method, path]
  })
  assert.deepEqual(built.sort(), declared.sort())
  const patchbay = new Patchbay({ baseUrl: 'http://patchbay.test' }) as unknown as Record<string, object>
  for (const { id } of routes) {
    const [group = '', name = ''] = id.split('.')
    assert.equal(typeof (patchbay[group] as Record<string, unknown>)[name], 'function', id)
  }
})

test('client: reads, executes, creates and deletes on a server, with the key that an operation needs', async (t) => {
  const { patchbay } = await startServer(t)
  const result = await patchbay.tools.execute({
    tool_slug: 'UTILITIES_CALCULATE',
    user_id: 'user-1',
    arguments: { expression: '6 * 7' },
  })
  assert.deepEqual([result.successful, result.data], [true, { result: 42 }])
  assert.ok(patchbay.rateLimit && patchbay.rateLimit.remaining < patchbay.rateLimit.limit)
  const tool = await patchbay.tools.read({ tool_slug: 'UTILITIES_CALCULATE' })
  assert.equal(tool.toolkit.slug, 'utilities')
  const { items } = await patchbay.tools.list({ tool_slugs: ['UTILITIES_CALCULATE', 'UTILITIES_HASH_TEXT'] })
  assert.deepEqual(items.map(({ slug }) => slug).sort(), ['UTILITIES_CALCULATE', 'UTILITIES_HASH_TEXT'])
  const versions = { toolkit_versions: { utilities: 'latest' }, toolkit_slug: ['utilities'], limit: 1 }
  assert.equal((await patchbay.tools.list(versions)).items.length, 1)
  const { id } = await patchbay.projects.create({ name: 'from-the-client' })
  assert.equal((await patchbay.projects.read({ nano_id: id })).name, 'from-the-client')
  assert.deepEqual(await patchbay.projects.delete({ nano_id: id }), { status: 'success' })
})

test('client: `all` reads every page of lists with cursors and with page numbers', async (t) => {
  const { patchbay } = await startServer(t)
  const slugs: string[] = []
  for await (const { slug } of patchbay.tools.list.all({ toolkit_slug: ['utilities'], limit: 3 }))
    slugs.push(slug)
  const { total_items: total } = await patchbay.tools.list({ toolkit_slug: ['utilities'] })
  assert.ok(total > 6)
  assert.equal(new Set(slugs).size, total)
  for (const name of ['Server one', 'Server two', 'Server three'])
    await patchbay.mcp.create({ name, auth_config_ids: [] })
  const names: string[] = []
  for await (const { name } of patchbay.mcp.list.all({ limit: 1 })) names.push(name)
  assert.deepEqual(names.sort(), ['Server one', 'Server three', 'Server two'])
})

test('client: an error response is an error with slug, request id and next step', async (t) => {
  const { patchbay, baseUrl } = await startServer(t)
  await assert.rejects(patchbay.tools.execute({ tool_slug: 'NO_SUCH_TOOL' }), (error) => {
    assert.ok(error instanceof PatchbayError)
    assert.deepEqual([error.status, error.slug, error.code], [404, 'Tool_ToolNotFound', 2401])
    assert.match(String(error.requestId), /^[\w-]+$/)
    assert.match(String(error.suggestedFix), /GET \/tools/)
    return true
  })
  await assert.rejects(
    new Patchbay({ baseUrl, apiKey: 'ak_wrong' }).tools.list(),
    (error) => error instanceof PatchbayError && error.status === 401,
  )
  assert.throws(() => new Patchbay({ baseUrl: 'localhost:3900' }), /baseUrl must be an absolute/)
  for (const tool_slug of ['', '..', undefined as never])
    await assert.rejects(patchbay.tools.read({ tool_slug }), /tool_slug is missing/)
})

test('client: repeats what the server lets it repeat, after the time that the server names', async () => {
  const busy = { status: 429, headers: { 'retry-after': '0' } }
  for (const [answers, request, expected] of [
    [[busy, { status: 200 }], 'read', 2],
    [[{ status: 502, headers: { 'retry-after': '0' } }, { status: 200 }], 'read', 2],
    [[busy, busy, busy, { status: 200 }], 'read', 3],
    [[busy, { status: 200 }], 'execute', 2],
    [[{ ...busy, headers: { 'retry-after': '0', 'x-should-retry': 'false' } }], 'execute', 1],
    [[{ status: 502, headers: { 'retry-after': '0' } }], 'execute', 1],
    [[{ status: 409, headers: { 'retry-after': '0' } }], 'read', 1],
    [[{ status: 429, headers: { 'retry-after': '3600' } }], 'read', 1],
    [[{ ...busy, headers: { 'retry-after': '0', 'x-should-retry': 'false' } }, { status: 200 }], 'keyed', 2],
    [[undefined], 'execute', 1],
  ] as const) {
    const { patchbay, requests } = scriptedClient(answers)
    const call =
      request === 'read'
        ? patchbay.tools.read({ tool_slug: 'A' })
        : patchbay.tools.execute({ tool_slug: 'A' }, request === 'keyed' ? { idempotencyKey: 'k-1' } : {})
    await call.catch(() => {})
    assert.equal(requests.length, expected, JSON.stringify([answers, request]))
  }
})

test('client: a server that cannot be reached is an error that names it', async () => {
  const { patchbay } = scriptedClient([])
  await assert.rejects(patchbay.tools.execute({ tool_slug: 'A' }), (error) => {
    assert.ok(error instanceof PatchbayConnectionError)
    assert.equal(
      error.message,
      'http://patchbay.test could not be reached. Check baseUrl and that the server runs.',
    )
    return true
  })
  const aborted = AbortSignal.abort(new Error('stopped'))
  await assert.rejects(patchbay.tools.read({ tool_slug: 'A' }, { signal: aborted }), /stopped/)
})
