import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, type TestApp } from '#fixtures/app.ts'
import { prepare, sampleImport } from '#fixtures/custom-toolkits.ts'
import { sql } from '../../src/platform/db/sql.ts'

/** Nullable query parameters of the specification. */
const NULLABLE: readonly (readonly [path: string, parameter: string])[] = [
  ['/auth_configs', 'show_disabled'],
  ['/auth_configs', 'limit'],
  ['/tools', 'scopes'],
  ['/tools', 'toolkit_versions'],
  ['/tools', 'limit'],
  ['/mcp/servers', 'page_no'],
  ['/mcp/servers', 'limit'],
  ['/mcp/app/github', 'page_no'],
  ['/mcp/app/github', 'limit'],
  ['/triggers_types', 'toolkit_slugs'],
  ['/triggers_types', 'toolkit_versions'],
  ['/triggers_types', 'limit'],
  ['/files/list', 'limit'],
]

type Page = { items: unknown[]; total_items: number }

const reader =
  ({ app, keys }: TestApp) =>
  async (url: string): Promise<Page> => {
    const headers = { 'x-api-key': keys.projectApiKey }
    const { statusCode, body } = await app.http.inject({ url: `/api/v3${url}`, headers })
    assert.equal(statusCode, 200, `${url}: ${body}`)
    return JSON.parse(body) as Page
  }

test('nullable query parameters: an empty value is the default, in every list that has one', async (t) => {
  const read = reader(await testApp(t))
  for (const [path, parameter] of NULLABLE)
    assert.deepEqual(
      await read(`${path}?${parameter}=`),
      await read(path),
      `${path} with an empty ${parameter}`,
    )
})

test('lists: a page of tools, auth configs or files has 1000 items, also if more are requested', async (t) => {
  const testedApp = await testApp(t)
  const read = reader(testedApp)
  const { app, keys } = testedApp
  const tools = Array.from(
    { length: 200 },
    (_, number) => [`WARES_COUNT_${number}`, `Count ${number}`] as const,
  )
  await app.customToolkits.put(
    keys.projectId,
    await prepare(app, keys.projectId, sampleImport('wares', tools)),
    { kind: 'openapi' },
    Date.now(),
  )
  await app.db.run(sql`
    insert into files (id, project_id, kind, object_key, toolkit_slug, tool_slug, filename, mimetype, md5,
      uploaded_at, expires_at)
    select 'file_' || i, ${keys.projectId}, 'result', i::text, 'a', 'A_B', 'f', 'text/plain', 'x', now(),
      now() + interval '1 hour' from generate_series(1, 1001) i`)
  await app.db.run(sql`
    insert into auth_configs (id, project_id, toolkit_slug, type, name, auth_scheme, is_service_managed, created_by)
    select 'ac_' || i, ${keys.projectId}, 'github', 'custom', 'n', 'BEARER_TOKEN', false, 'k'
      from generate_series(1, 1001) i`)
  for (const path of ['/tools', '/auth_configs', '/files/list']) {
    const { items, total_items: total } = await read(`${path}?limit=1001`)
    assert.ok(total > 1000, `${path} has ${total} items`)
    assert.equal(items.length, 1000, path)
  }
})
