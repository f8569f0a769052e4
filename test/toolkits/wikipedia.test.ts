import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { readBuiltInToolkit } from '../fixtures/built-in-toolkits.ts'
import { startConnectedAccountsApp } from '../fixtures/connected-accounts.ts'
import { upstream } from '../fixtures/upstream.ts'

/** The language of the host becomes the first segment of the stub's path. */
async function stand(t: TestContext) {
  const stub = await upstream(t)
  const { toolkit: manifest, tools } = await readBuiltInToolkit('wikipedia')
  const { base_url: base, auth, ...toolkit } = manifest
  const { callTool: run } = await startConnectedAccountsApp(t, {
    auth,
    toolkit: {
      ...toolkit,
      base_url: String(base).replace(/^https:\/\/(\{.*\})\.wikipedia\.org$/, `${stub.url}/$1`),
    },
    tools,
    code: { slug: 'wikipedia' },
  })
  return {
    stub,
    run: async (tool: string, args: object, more: object = {}) =>
      (await run({ arguments: args, ...more }, tool)).body,
  }
}

test('without an account the English one is read, with a language that of the connection', async (t) => {
  const { stub, run } = await stand(t)
  assert.equal((await run('WIKIPEDIA_GET_SUMMARY', { title: 'AC/DC' })).successful, true)
  assert.equal(stub.requests.at(-1)!.url, '/en/api/rest_v1/page/summary/AC%2FDC')
  await run(
    'WIKIPEDIA_FIND_NEARBY',
    { latitude: 1.5, longitude: -2 },
    { custom_connection_data: { authScheme: 'NO_AUTH', toolkitSlug: 'wikipedia', val: { language: 'de' } } },
  )
  assert.equal(stub.requests.at(-1)!.path, '/de/w/api.php')
  assert.deepEqual(
    ['list', 'gscoord', 'gsradius', 'formatversion'].map((name) => stub.requests.at(-1)!.query.get(name)),
    ['geosearch', '1.5|-2', '1000', '2'],
  )
})

test('a page that is not there, and an error that comes with 200, are failures', async (t) => {
  const { stub, run } = await stand(t)
  stub.answer = () => ({ json: { query: { pages: [{ title: 'Nosuch', missing: true }] } } })
  assert.equal((await run('WIKIPEDIA_GET_ARTICLE', { title: 'Nosuch' })).successful, false)
  stub.answer = () => ({ json: { query: { pages: [{ pageid: 7, title: 'Some', extract: 'Text' }] } } })
  assert.deepEqual((await run('WIKIPEDIA_GET_ARTICLE', { title: 'Some' })).data, {
    pageid: 7,
    title: 'Some',
    extract: 'Text',
  })
  stub.answer = () => ({
    json: { error: { code: 'missingtitle', info: 'The page you specified does not exist.' } },
  })
  const { successful, error } = await run('WIKIPEDIA_LIST_SECTIONS', { title: 'Nosuch' })
  assert.deepEqual([successful, error], [false, 'The page you specified does not exist.'])
})
