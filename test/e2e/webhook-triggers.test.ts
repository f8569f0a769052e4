import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type ResolvedTrigger, type JsonSchema, loadCatalog } from '../../src/catalog/index.ts'
import { createAuthConfig } from '../../src/contract/auth-configs/index.ts'
import { createConnectedAccount, readConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import {
  createWebhookEndpoint,
  deleteTrigger,
  mergeWebhookEndpoint,
  upsertTrigger,
} from '../../src/contract/triggers/index.ts'

import { sql } from '../../src/platform/db/sql.ts'
import {
  simulatedConnection,
  simulatedEgress,
  type WireRequest,
  worldOf,
} from '../../simulation/applications/index.ts'
import { testApp } from '../fixtures/app.ts'
import { storedEvents } from '#fixtures/events.ts'

const FOLDER = fileURLToPath(new URL('../../toolkits', import.meta.url))
type Args = Record<string, unknown>

/** Of apps and their accounts; what a scheme takes as a credential is given to it. */
const SECRETS: Args = {
  signing_secret: 'sim-signing',
  client_secret: 'sim-client-secret',
  secret_token: 'sim-token',
  team_id: 'T0SIM',
}

function configOf({ trigger: { config } }: ResolvedTrigger): Args {
  const needed = (config['required'] ?? []) as string[]
  const properties = Object.entries((config['properties'] ?? {}) as Record<string, JsonSchema>).filter(
    ([name, schema]) => needed.includes(name) || schema['default'] !== undefined,
  )
  return Object.fromEntries(
    properties.map(([name, schema]) => [name, schema['default'] ?? (schema['examples'] as unknown[])[0]]),
  )
}

/** The application with every built-in toolkit, whose providers are simulated. */
async function startTriggerApp(t: TestContext) {
  const catalog = await loadCatalog({ folder: FOLDER, operations: false })
  let now = () => Date.now()
  const world = worldOf(catalog, FOLDER, { clock: () => now() })
  const s = await testApp(t, { catalog, egress: simulatedEgress(world.answer) })
  now = s.clock.now
  const { db, http, tasks } = s.app
  const payloads = async () =>
    (await storedEvents(db)).flatMap(({ type, payload }) =>
      type === 'trigger.message' ? [payload as Args] : [],
    )
  const deliver = async ({ method, url, headers, body }: WireRequest) => {
    const { pathname, search } = new URL(url)
    return (
      await http.inject({
        method: method as 'POST',
        url: pathname + search,
        headers,
        ...(body.length ? { payload: body } : {}),
      })
    ).statusCode
  }
  const work = async () => {
    for (const { task, payload } of await db.rows<{ task: string; payload: Args }>(sql`
      delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
        where t.id = j.task_id and t.identifier like 'triggers.%' returning t.identifier as task, j.payload`)) {
      await tasks.find((one) => one.task === task)!.run(payload, { number: 1, isLast: false })
    }
  }
  return { s, catalog, world, payloads, deliver, work }
}

type TriggerApp = Awaited<ReturnType<typeof startTriggerApp>>

test('every built-in webhook trigger publishes an event for a webhook, and removes its registration', async (t) => {
  const app = await startTriggerApp(t)
  const all = app.catalog.toolkits
    .flatMap(({ slug }) => app.catalog.triggers(slug, 'latest'))
    .filter(({ trigger }) => trigger.webhook)
  assert.ok(all.length >= 25)
  for (const toolkit of new Set(all.map((one) => one.toolkit))) {
    await t.test(toolkit.slug, async () => {
      const triggers = all.filter((one) => one.toolkit === toolkit)
      const { id, tenant } = await connectAccount(app, toolkit, triggers)
      const values = { ...SECRETS, 'identity.tenant': tenant }
      app.world.applications.get(toolkit.slug)!.webhooks.known = values
      const byApp = triggers.find(({ trigger }) => trigger.webhook!.scope === 'app')
      const url = byApp && (await createEndpoint(app, byApp, values))
      for (const found of triggers) {
        const isByApp = found.trigger.webhook!.scope === 'app'
        await checkTrigger(app, found, id, isByApp && url ? { to: url, values } : undefined)
      }
    })
  }
})

/** Connects an account, with OAuth where deliveries are signed with the secret of the OAuth app. */
async function connectAccount(
  { s, catalog }: TriggerApp,
  toolkit: ResolvedTrigger['toolkit'],
  triggers: ResolvedTrigger[],
): Promise<{ id: string; tenant: string }> {
  const signsWithSecret = triggers.some(
    ({ trigger: { webhook } }) => webhook!.needs.includes('client_secret') && webhook!.scope === 'instance',
  )
  const scheme = signsWithSecret ? toolkit.schemes.find(({ mode }) => mode === 'OAUTH2') : undefined
  const connection = simulatedConnection(
    toolkit,
    toolkit.tools.map(({ slug }) => catalog.tool(slug, 'latest')!.tool.manifest),
  )!
  const made = await s.call(createAuthConfig, {
    body: {
      toolkit: { slug: toolkit.slug },
      auth_config: {
        type: 'use_custom_auth',
        authScheme: scheme?.mode ?? connection.authScheme,
        credentials: scheme ? { client_id: 'c-1', client_secret: SECRETS['client_secret'] } : {},
      },
    } as never,
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const val = {
    ...connection.val,
    team_id: SECRETS['team_id'],
    ...(scheme && { status: 'ACTIVE', access_token: 'simulated-token' }),
  }
  const account = await s.call(createConnectedAccount, {
    body: {
      auth_config: { id: made.body.auth_config.id },
      connection: { user_id: 'u1', state: { authScheme: scheme?.mode ?? connection.authScheme, val } },
    } as never,
  })
  assert.equal(account.status, 201, JSON.stringify(account.body))
  const { identity } = (await s.call(readConnectedAccount, { params: { nanoid: account.body.id } })).body as {
    identity?: { tenant?: string }
  }
  return { id: account.body.id, tenant: identity?.tenant ?? '' }
}

/** Creates and sets up the webhook endpoint of the toolkit and returns its URL. */
async function createEndpoint(
  { s, world, deliver }: TriggerApp,
  { toolkit, trigger: { slug, webhook } }: ResolvedTrigger,
  values: Args,
): Promise<string> {
  const endpoint = await s.call(createWebhookEndpoint, { body: { toolkit_slug: toolkit.slug } })
  const url = endpoint.body.webhook_url
  await s.call(mergeWebhookEndpoint, {
    params: { nano_id: endpoint.body.id },
    body: { data: Object.fromEntries(webhook!.setup.map(({ name }) => [name, String(SECRETS[name])])) },
  })
  for (const request of world.applications.get(toolkit.slug)!.webhooks.tries(slug, url, values))
    assert.equal(await deliver(request), 200, `${slug}: the URL is tried`)
  return url
}

async function checkTrigger(
  { s, world, deliver, payloads, work }: TriggerApp,
  found: ResolvedTrigger,
  account: string,
  endpoint: { to: string; values: Args } | undefined,
): Promise<void> {
  const { webhooks } = world.applications.get(found.toolkit.slug)!
  const { slug } = found.trigger
  const config = configOf(found)
  const created = await s.call(upsertTrigger, {
    params: { slug },
    body: { connected_account_id: account, trigger_config: config } as never,
  })
  assert.equal(created.status, 201, `${slug}: ${JSON.stringify(created.body)}`)
  for (const request of webhooks.take())
    assert.equal(await deliver(request), 200, `${slug}: the URL is tried`)
  const before = (await payloads()).length
  const happens = { config, ...endpoint }
  assert.equal(webhooks.happen(slug, happens), 1, slug)
  const requests = webhooks.take()
  for (const request of [...requests, ...requests])
    assert.equal(await deliver(request), 200, `${slug}: delivered`)
  assert.equal((await payloads()).length, before + 1, `${slug}: one event, though it was delivered twice`)
  assert.ok(Object.keys((await payloads()).at(-1)!).length > 0, slug)
  await s.call(deleteTrigger, { params: { trigger_id: created.body.trigger_id } })
  await work()
  if (endpoint === undefined)
    assert.equal(webhooks.happen(slug, happens), 0, `${slug}: the application has no registration left`)
}
