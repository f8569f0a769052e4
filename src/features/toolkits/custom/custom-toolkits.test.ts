import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createAuthConfig, listAuthConfigs, deleteAuthConfig } from '../../../contract/auth-configs/index.ts'
import { createConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import {
  listToolkits,
  listToolkitsMulti,
  listToolkitVersions,
  deleteToolkit,
  readToolkit,
} from '../../../contract/toolkits/index.ts'
import { listToolSlugs, readTool, requiredScopes, executeTool } from '../../../contract/tools/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Client } from '#fixtures/client.ts'
import { upstream } from '#fixtures/upstream.ts'
import { PROJECT_LIMITS } from './validate-version.ts'
import { sampleImport } from '#fixtures/custom-toolkits.ts'
import { start, NOW, slugsIn } from '#fixtures/own-toolkits.ts'

const failure = async (work: Promise<unknown>) =>
  work.then(
    () => 'nothing',
    (error: { slug?: string; message: string }) => `${error.slug} ${error.message}`,
  )

async function storeOwnToolkits(t: TestContext) {
  const stub = await upstream(t, ({ path }) => ({ json: { path } }))
  const { app, call, other, own, one, two, keys, as } = await start(t)
  const newer = as({ 'x-api-key': keys.projectApiKey }, 'v3.1')
  // Two projects, the same slug, other content, at the same time.
  const [mine, theirs] = await Promise.all([
    own.put(
      one,
      sampleImport(
        'wares',
        [
          ['WARES_COUNT', 'Count crates'],
          ['WARES_FETCH', 'Fetch crate'],
        ],
        { url: stub.url, categories: ['stock'] },
      ),
      { kind: 'openapi', address: 'https://user:secret@api.example/openapi.json?token=t#x' },
      NOW,
    ),
    own.put(
      two,
      sampleImport('wares', [['WARES_PAINT', 'Paint fence']], { url: `${stub.url}/theirs` }),
      { kind: 'openapi' },
      NOW,
    ),
  ])
  return { mine, theirs, call, other, newer, stub, app }
}

type OwnToolkits = Awaited<ReturnType<typeof storeOwnToolkits>>

test('custom toolkit: works like a built-in toolkit, for its own project only', async (t) => {
  const stored = await storeOwnToolkits(t)
  await checkLists(stored)
  const config = await connectAndCall(stored)
  await checkVersions(stored)
  await checkDeletion(stored, config)
})

async function checkLists({ mine, theirs, call, other }: OwnToolkits): Promise<void> {
  assert.deepEqual(
    [mine, theirs].map(({ version, created, difference }) => [version, created, difference]),
    [
      ['20261121_00', true, undefined],
      ['20261121_00', true, undefined],
    ],
  )

  assert.deepEqual(await slugsIn(call), ['POST_OFFICE_OPEN', 'POST_SEND', 'WARES_COUNT', 'WARES_FETCH'])
  assert.deepEqual(await slugsIn(other), ['POST_OFFICE_OPEN', 'POST_SEND', 'WARES_PAINT'])
  assert.deepEqual((await call(listToolSlugs)).body, [
    'POST_OFFICE_OPEN',
    'POST_SEND',
    'WARES_COUNT',
    'WARES_FETCH',
  ])
  assert.equal((await slugsIn(call, { query: 'count the crates' }))[0], 'WARES_COUNT')
  assert.equal((await slugsIn(other, { query: 'count the crates' })).includes('WARES_COUNT'), false)
  assert.equal((await slugsIn(other, { query: 'paint fence' }))[0], 'WARES_PAINT')
  const listed = async (client: Client, query: object) =>
    (await client(listToolkits, { query })).body.items.map(({ slug, type, meta }) => [
      slug,
      type,
      meta.tools_count,
    ])
  assert.deepEqual(await listed(call, { type: 'custom' }), [['wares', 'custom', 2]])
  assert.deepEqual(await listed(call, { type: 'native' }), [['post', 'native', 2]])
  assert.deepEqual(await listed(other, { search: 'wares' }), [['wares', 'custom', 1]])
  assert.deepEqual(await listed(other, { category: 'stock' }), [])
  assert.equal(
    (await other(listToolkitsMulti, { body: { toolkits: ['wares', 'post'] } })).body.items.length,
    2,
  )

  const missing = await other(readTool, { params: { tool_slug: 'WARES_COUNT' } })
  const none = await other(readTool, { params: { tool_slug: 'WARES_NOTHING' } })
  assert.deepEqual(
    [missing.status, missing.body.error.slug, missing.body.error.message.replace('COUNT', 'NOTHING')],
    [404, none.body.error.slug, none.body.error.message],
  )
  assert.equal((await other(requiredScopes, { body: { tools: ['WARES_COUNT'] } })).status, 404)
}

async function connectAndCall({ call, newer, stub, other }: OwnToolkits) {
  const config = (
    await call(createAuthConfig, {
      body: {
        toolkit: { slug: 'wares' },
        auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY' },
      } as never,
    })
  ).body.auth_config.id
  const connected = await call(createConnectedAccount, {
    body: {
      auth_config: { id: config },
      connection: { user_id: 'ada', state: { authScheme: 'API_KEY', val: { generic_api_key: 'k-1' } } },
    } as never,
  })
  assert.equal(connected.status, 201)
  const run = await newer(executeTool, {
    params: { tool_slug: 'WARES_COUNT' },
    body: { user_id: 'ada', arguments: { id: '7' } } as never,
  })
  assert.deepEqual([run.body.successful, run.body.data], [true, { path: '/orders/7' }])
  assert.equal(stub.requests.at(-1)?.headers['x-key'], 'k-1')
  assert.equal(
    (
      await other(executeTool, {
        params: { tool_slug: 'WARES_COUNT' },
        body: { user_id: 'ada', arguments: { id: '7' } } as never,
      })
    ).status,
    404,
  )
  assert.equal(
    (await call(listAuthConfigs, { query: { toolkit_slug: ['wares'] } })).body.items[0]?.expected_input_fields
      .length,
    1,
  )
  return config
}

async function checkVersions({ call, app }: OwnToolkits): Promise<void> {
  const {
    body: { items },
  } = await call(listToolkitVersions, { params: { slug: 'WARES' } })
  assert.deepEqual(
    items.map(({ digest, created_at: at, ...rest }) => [digest.length, at.length, rest]),
    [
      [
        64,
        24,
        {
          version: '20261121_00',
          changes: 'First import.',
          source: { kind: 'openapi', address: 'https://api.example/openapi.json' },
          tools_count: 2,
          quarantined: [],
        },
      ],
    ],
  )
  assert.deepEqual(
    (await call(listToolkitVersions, { params: { slug: 'post' } })).body.items.map(({ version, source }) => [
      version,
      source.kind,
    ]),
    [['20260115_00', 'built_in']],
  )
  assert.equal((await call(listToolkitVersions, { params: { slug: 'nobody' } })).status, 404)
  const logo = await app.http.inject('/logos/wares.svg')
  assert.deepEqual([logo.statusCode, logo.body.includes('>W<')], [200, true])
}

async function checkDeletion({ call, other, app }: OwnToolkits, config: string): Promise<void> {
  const remove = async (client: Client, slug: string) => {
    const { status, body } = await client(deleteToolkit, { params: { slug } })
    return [status, body.error?.slug]
  }
  assert.deepEqual(await remove(call, 'post'), [403, 'Toolkit_NotOwn'])
  assert.deepEqual(await remove(call, 'nobody'), [404, 'Toolkit_ToolkitNotFound'])
  assert.deepEqual(await remove(call, 'wares'), [409, 'Toolkit_InUse'])
  await call(deleteAuthConfig, { params: { nanoid: config } })
  assert.deepEqual(await remove(call, 'Wares'), [200, undefined])
  assert.deepEqual(
    [await slugsIn(call), await slugsIn(other)],
    [
      ['POST_OFFICE_OPEN', 'POST_SEND'],
      ['POST_OFFICE_OPEN', 'POST_SEND', 'WARES_PAINT'],
    ],
  )
  assert.equal((await call(readToolkit, { params: { slug: 'wares' } })).status, 404)
  assert.deepEqual(
    await app.db.rows(sql`select count(*)::int as contents from toolkit_contents`),
    [{ contents: 1 }],
    'what nobody has is gone',
  )
}

async function startSharedToolkits(t: TestContext) {
  const { own, one, two, call, app } = await start(t)
  const put = (project: string | null, ...of: Parameters<typeof sampleImport>) =>
    own.put(project, sampleImport(...of), { kind: 'openapi' }, NOW)
  return { put, one, call, two, own, app }
}

type SharedToolkits = Awaited<ReturnType<typeof startSharedToolkits>>

test('custom toolkit: slugs in use, limits, and tools that no model accepts are rejected', async (t) => {
  const shared = await startSharedToolkits(t)
  await checkTakenSlugs(shared)
  await checkRejectedTools(shared)
  await checkLimits(shared)
})

async function checkTakenSlugs({ put, one, call, two, own }: SharedToolkits): Promise<void> {
  assert.match(
    await failure(put(one, 'post', [['POST_X', 'X']])),
    /^Toolkit_SlugTaken A toolkit post exists already/,
  )
  assert.match(
    await failure(put(one, 'post_office', [['POST_OFFICE_OPEN', 'X']])),
    /^Toolkit_SlugTaken The tool slug POST_OFFICE_OPEN is used by a tool of post/,
  )
  await put(one, 'post_office', [['POST_OFFICE_CLOSE', 'Close']])
  await put(null, 'pack', [['PACK_OPEN', 'Open the box']])
  assert.deepEqual(
    [(await slugsIn(call)).includes('PACK_OPEN'), (await slugsIn(call, { query: 'open the box' }))[0]],
    [true, 'PACK_OPEN'],
    'of the instance: everybody sees it',
  )
  assert.match(await failure(put(two, 'pack', [['PACK_X', 'X']])), /^Toolkit_SlugTaken/)
  assert.deepEqual(
    (await call(listToolkits, { query: { search: 'pack' } })).body.items.map(({ type }) => type),
    ['native'],
  )
  assert.match(await failure(own.remove(one, 'pack')), /^Toolkit_NotOwn/)
}

async function checkRejectedTools({ own, one, call }: SharedToolkits): Promise<void> {
  const bad = sampleImport('odd', [
    ['ODD_FINE', 'Fine'],
    ['ODD_BAD', 'Bad'],
  ])
  Object.assign(bad.tools[1]!, {
    input: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 800 }, (_, at) => [`a${at}`, { type: 'string', description: 'x'.repeat(60) }]),
      ),
    },
  })
  const { quarantined } = await own.put(one, bad, { kind: 'openapi' }, NOW)
  assert.deepEqual(
    quarantined.map(({ slug }) => slug),
    ['ODD_BAD'],
  )
  assert.deepEqual(
    [
      await slugsIn(call, { toolkit_slug: ['odd'] }),
      (await call(listToolkitVersions, { params: { slug: 'odd' } })).body.items[0]?.quarantined,
    ],
    [['ODD_FINE'], quarantined],
  )
  assert.match(
    await failure(own.put(one, { ...bad, tools: [bad.tools[1]!] }, { kind: 'openapi' }, NOW)),
    /^Toolkit_LimitReached No tool of odd/,
  )
}

async function checkLimits({ app, one, put, two }: SharedToolkits): Promise<void> {
  await app.db.run(
    sql`update toolkit_versions set tools_count = ${PROJECT_LIMITS.tools} where project_id = ${one}
        and version = '20261121_00' and toolkit_id = (select id from toolkits where slug = 'odd')`,
  )
  assert.match(
    await failure(put(one, 'more', [['MORE_A', 'A']])),
    /^Toolkit_LimitReached The custom toolkits of the project would have more than 20000 tools/,
  )
  await app.db.run(
    sql`insert into toolkits (project_id, slug) select ${two}, 't' || n
        from generate_series(1, ${PROJECT_LIMITS.toolkits}) n`,
  )
  await app.db.run(
    sql`insert into toolkit_versions (toolkit_id, project_id, version, digest, changes, source_kind,
        tools_count, size) select t.id, t.project_id, '20261121_00', (select digest from toolkit_contents
        limit 1), '', 'x', 1, 1 from toolkits t where t.project_id = ${two}`,
  )
  assert.match(
    await failure(put(two, 'more', [['MORE_A', 'A']])),
    /^Toolkit_LimitReached The project has 200 custom toolkits/,
  )
}
