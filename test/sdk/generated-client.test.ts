import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { API_KEY, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { temporaryDirectory } from '#fixtures/server-process.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const MODULES = join(ROOT, 'node_modules')
const MS_MAX = 300_000
const run = async (folder: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, args, { cwd: folder, timeout: MS_MAX })).stdout

/** A program with the types of the served document. A line with an error that is expected must have one. */
const PROGRAM = `import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

const [, , baseUrl = '', apiKey = ''] = process.argv
const patchbay = createClient<paths>({ baseUrl, headers: { 'x-api-key': apiKey } })
function dataOf<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

const { auth_config: config } = dataOf(
  await patchbay.POST('/api/v3.1/auth_configs', {
    body: {
      toolkit: { slug: 'shop' },
      auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', credentials: {} },
    },
  }),
)
const account = dataOf(
  await patchbay.POST('/api/v3.1/connected_accounts', {
    body: {
      auth_config: { id: config.id },
      connection: { user_id: 'user-17', state: { authScheme: 'API_KEY', val: { generic_api_key: 'key-of-17' } } },
    },
  }),
)
const result = dataOf(
  await patchbay.POST('/api/v3.1/tools/execute/{tool_slug}', {
    params: { path: { tool_slug: 'SHOP_GET_ORDER' } },
    body: { user_id: 'user-17', arguments: { id: '7' } },
  }),
)
const slugs: string[] = []
let cursor: string | undefined
do {
  const page = dataOf(
    await patchbay.GET('/api/v3.1/tools', {
      params: { query: { toolkit_slug: ['shop'], limit: 2, ...(cursor === undefined ? {} : { cursor }) } },
    }),
  )
  slugs.push(...page.items.map(({ slug }) => slug))
  cursor = page.next_cursor ?? undefined
} while (cursor !== undefined)
const successful: boolean = result.successful
console.log(JSON.stringify({ account: account.status, successful, data: result.data, slugs }))

export async function wrongCalls(): Promise<void> {
  // @ts-expect-error: the path does not exist
  await patchbay.GET('/api/v3.1/toolz')
  // @ts-expect-error: the type of limit is number
  await patchbay.GET('/api/v3.1/tools', { params: { query: { limit: 'two' } } })
  // @ts-expect-error: the body is missing
  await patchbay.POST('/api/v3.1/connected_accounts')
  // @ts-expect-error: a result has no such field
  result.succesful
}
`

test('generated client: openapi-typescript and openapi-fetch compile and do the main job', async (t) => {
  const tools = ['GET', 'FIND', 'LIST', 'COUNT', 'CHECK'].map((verb) =>
    sampleTool({ slug: `SHOP_${verb}_ORDER` }),
  )
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools })
  await s.app.http.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(s.app.http.server.address() as AddressInfo).port}`

  const folder = await temporaryDirectory(t)
  await symlink(MODULES, join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await writeFile(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json?api=v3.1`)).text())
  const hook = join(import.meta.dirname, 'generated-client', 'compiler-api.mjs')
  const generator = join(MODULES, 'openapi-typescript', 'bin', 'cli.js')
  await run(folder, '--import', hook, generator, 'openapi.json', '--output', 'api.ts')
  await writeFile(join(folder, 'main.ts'), PROGRAM)

  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2024', '--module', 'nodenext']
  const more = ['--allowImportingTsExtensions', '--types', 'node', '--lib', 'es2024,dom']
  await run(folder, join(MODULES, 'typescript', 'bin', 'tsc'), ...options, ...more, 'main.ts')

  const output = JSON.parse(await run(folder, 'main.ts', url, s.keys.projectApiKey)) as Record<
    string,
    unknown
  >
  assert.deepEqual(
    { ...output, slugs: (output['slugs'] as string[]).sort() },
    {
      account: 'ACTIVE',
      successful: true,
      data: output['data'],
      slugs: tools.map(({ slug }) => slug).sort(),
    },
  )
  assert.equal(s.stub.requests.at(-1)?.headers['x-key'], 'key-of-17')
})
