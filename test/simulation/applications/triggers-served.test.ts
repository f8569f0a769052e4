import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type ResolvedTrigger, loadCatalog } from '../../../src/catalog/index.ts'
import { createAuthConfig } from '../../../src/contract/auth-configs/index.ts'
import {
  createConnectedAccount,
  readConnectedAccount,
} from '../../../src/contract/connected-accounts/index.ts'
import {
  createWebhookEndpoint,
  replaceWebhookEndpoint,
  upsertTrigger,
} from '../../../src/contract/triggers/index.ts'

import { sql } from '../../../src/platform/db/sql.ts'
import {
  simulatedConnection,
  simulatedEgress,
  type WireRequest,
  worldOf,
} from '../../../simulation/applications/index.ts'
import { testApp } from '../../fixtures/app.ts'
import { until } from '../../fixtures/until.ts'
import { configOf } from './fixture.ts'
import { storedEvents } from '#fixtures/events.ts'

type Args = Record<string, unknown>
const FOLDER = fileURLToPath(new URL('../../../toolkits', import.meta.url))
/**
 * Ways to connect where the simplest does not do: applications that sign with the secret of an app, or are
 * asked which site is meant.
 */
const WAYS: Readonly<Record<string, readonly [scheme: string, values: Args]>> = {
  slack: ['OAUTH2', { access_token: 'any', team_id: 'T0SIM' }],
  shopify: ['OAUTH2', { access_token: 'any', shop: 'acme' }],
  hubspot: ['OAUTH2', { access_token: 'any' }],
  zoom: ['OAUTH2', { access_token: 'any' }],
  salesforce: ['BEARER_TOKEN', { token: 'any', instance_url: 'https://acme.my.salesforce.com' }],
  mailchimp: ['OAUTH2', { access_token: 'any', dc: 'us6' }],
  xero: ['OAUTH2', { access_token: 'any', tenant_id: '70784a63-d24b-46a9-a4db-0e70a274b056' }],
  docusign: ['OAUTH2', { access_token: 'any', login_host: 'account.docusign.com' }],
  jira: ['BASIC', { subdomain: 'acme', username: 'ada@example.com', password: 'any' }],
  confluence: ['BASIC', { subdomain: 'acme', username: 'ada@example.com', password: 'any' }],
}
const APP = { signing_secret: 'sim-signing', client_secret: 'sim-client-secret', secret_token: 'sim-token' }

/** The event of another trigger type of the same application is also one of theirs. */
const TWINS = new Set([
  'ASANA_TASK_CHANGED_TRIGGER',
  'CALENDLY_EVENT_CANCELED_TRIGGER',
  'CAL_BOOKING_CANCELLED_TRIGGER',
  'CAL_BOOKING_CHANGED_TRIGGER',
  'CODA_ROW_CHANGED_TRIGGER',
  'CONFLUENCE_PAGE_CHANGED_TRIGGER',
  'DOCUSIGN_ENVELOPE_STATUS_CHANGED_TRIGGER',
  'FRESHDESK_TICKET_CHANGED_TRIGGER',
  'GOOGLECALENDAR_GOOGLE_CALENDAR_EVENT_CHANGE_TRIGGER',
  'GOOGLEDOCS_DOCUMENT_CHANGED_TRIGGER',
  'GOOGLEDRIVE_FILE_CREATED_TRIGGER',
  'GOOGLESHEETS_SPREADSHEET_CHANGED_TRIGGER',
  'INTERCOM_CONVERSATION_CHANGED_TRIGGER',
  'JIRA_UPDATED_ISSUE_TRIGGER',
  'KLAVIYO_PROFILE_CHANGED_TRIGGER',
  'MAILCHIMP_MEMBER_CHANGED_TRIGGER',
  'NEON_BRANCH_CHANGED_TRIGGER',
  'NOTION_PAGE_UPDATED_TRIGGER',
  'ONE_DRIVE_FILE_CHANGED_TRIGGER',
  'PIPEDRIVE_DEAL_CHANGED_TRIGGER',
  'PIPEDRIVE_PERSON_CHANGED_TRIGGER',
  'POSTHOG_FEATURE_FLAG_CHANGED_TRIGGER',
  'QUICKBOOKS_INVOICE_CHANGED_TRIGGER',
  'SALESFORCE_OPPORTUNITY_CHANGED_TRIGGER',
  'SHARE_POINT_LIST_ITEM_CHANGED_TRIGGER',
  'SLACK_RECEIVE_MESSAGE',
  'TODOIST_TASK_CHANGED_TRIGGER',
  'WEBFLOW_COLLECTION_ITEM_CHANGED_TRIGGER',
  'ZENDESK_TICKET_CHANGED_TRIGGER',
  'ZOHO_RECORD_CHANGED_TRIGGER',
])

/** The application with every built-in toolkit; deliveries that try a new URL arrive during the request. */
async function startTriggerApp(t: TestContext) {
  const catalog = await loadCatalog({ folder: FOLDER, operations: false })
  const world = worldOf(catalog, FOLDER, { clock: () => Date.now() })
  const out = simulatedEgress(world.answer)
  const s = await testApp(t, {
    catalog,
    egress: {
      ...out,
      send: async (request) => {
        const response = await out.send(request)
        for (const { webhooks } of world.applications.values())
          for (const tried of webhooks.take('tries')) await deliver(tried)
        return response
      },
    },
  })
  async function deliver({ method, url, headers, body }: WireRequest): Promise<void> {
    const { pathname, search } = new URL(url)
    const reply = await s.app.http.inject({
      method: method as 'POST',
      url: pathname + search,
      headers: { ...headers },
      payload: body,
    })
    assert.equal(reply.statusCode, 200, `${url}: ${reply.body}`)
  }
  return { s, catalog, world, deliver }
}

type TriggerApp = Awaited<ReturnType<typeof startTriggerApp>>

/** Connects an account of the simulated application and returns its id. */
async function connectAccount(
  { s, catalog }: TriggerApp,
  toolkit: ResolvedTrigger['toolkit'],
): Promise<string> {
  const { authScheme, val } = simulatedConnection(
    toolkit,
    toolkit.tools.map(({ slug }) => catalog.tool(slug, 'latest')!.tool.manifest),
  )!
  const [scheme, values] = WAYS[toolkit.slug] ?? [authScheme, val]
  const config = await s.call(createAuthConfig, {
    body: {
      toolkit: { slug: toolkit.slug },
      auth_config: {
        type: 'use_custom_auth',
        authScheme: scheme,
        credentials: scheme === 'OAUTH2' ? { client_id: 'sim', client_secret: APP.client_secret } : {},
      },
    } as never,
  })
  assert.equal(config.status, 201, `${toolkit.slug}: ${JSON.stringify(config.body)}`)
  const account = await s.call(createConnectedAccount, {
    body: {
      auth_config: { id: (config.body as any).auth_config.id },
      connection: { user_id: 'ada', state: { authScheme: scheme, val: { status: 'ACTIVE', ...values } } },
    } as never,
  })
  assert.equal(account.status, 201, `${toolkit.slug}: ${JSON.stringify(account.body)}`)
  return (account.body as any).id
}

/** An instance of every trigger type, and the webhook URLs of the toolkits whose triggers share one. */
async function createInstances(app: TriggerApp) {
  const instances = new Map<string, ResolvedTrigger>()
  const urls = new Map<string, string>()
  for (const toolkit of app.catalog.toolkits) {
    const types = app.catalog.triggers(toolkit.slug, 'latest')
    if (types.length === 0) continue
    const account = await connectAccount(app, toolkit)
    const { identity } = (await app.s.call(readConnectedAccount, { params: { nanoid: account } })).body
    app.world.applications.get(toolkit.slug)!.webhooks.known = {
      ...APP,
      ...WAYS[toolkit.slug]?.[1],
      'identity.tenant': identity?.tenant,
    }
    const byApp = types.find(({ trigger }) => trigger.webhook?.scope === 'app')
    if (byApp) urls.set(toolkit.slug, await createEndpoint(app, byApp))
    for (const found of types) {
      const reply = await app.s.call(upsertTrigger, {
        params: { slug: found.trigger.slug },
        body: { connected_account_id: account, trigger_config: configOf(found) } as never,
      })
      assert.equal(reply.status, 201, `${found.trigger.slug}: ${JSON.stringify(reply.body)}`)
      instances.set(reply.body.trigger_id, found)
    }
  }
  return { instances, urls }
}

async function createEndpoint({ s }: TriggerApp, { toolkit, trigger }: ResolvedTrigger): Promise<string> {
  const { body } = await s.call(createWebhookEndpoint, { body: { toolkit_slug: toolkit.slug } })
  const names = trigger.webhook!.setup.map(({ name }) => name as keyof typeof APP)
  await s.call(replaceWebhookEndpoint, {
    params: { nano_id: body.id },
    body: { data: Object.fromEntries(names.map((name) => [name, APP[name]])) },
  })
  return body.webhook_url
}

/** Makes the event of each trigger type happen, and returns the deliveries of the applications. */
function causeEvents(
  { world }: TriggerApp,
  instances: Iterable<ResolvedTrigger>,
  urls: ReadonlyMap<string, string>,
): WireRequest[] {
  const calls: WireRequest[] = []
  for (const found of instances) {
    const { slug } = found.trigger
    const application = world.applications.get(found.toolkit.slug)!
    const { webhooks } = application
    const config = configOf(found)
    if (TWINS.has(slug)) continue
    if (found.trigger.poll) assert.ok(application.happen(slug, config), slug)
    else webhooks.happen(slug, { config, to: urls.get(found.toolkit.slug), values: webhooks.known })
    calls.push(...webhooks.take())
  }
  return calls
}

/** Waits until every instance that polls was polled once more. */
async function pollAll({ s }: TriggerApp): Promise<void> {
  const { db } = s.app
  const before = await db.one<{ at: Date }>(sql`select clock_timestamp() as at`)
  await db.run(sql`update trigger_polls set next_run = now() where next_run is not null`)
  await until('all were polled', async () => {
    const waiting = await db.rows(
      sql`select 1 from trigger_polls where next_run is not null and last_run < ${before!.at}`,
    )
    return waiting.length === 0
  })
}

const messagesOf = async ({ s }: TriggerApp) =>
  (await storedEvents(s.app.db)).filter(({ type }) => type === 'trigger.message')

test('every built-in trigger type: an instance of a simulated account publishes one event', async (t) => {
  const app = await startTriggerApp(t)
  const { s, deliver } = app
  const { instances, urls } = await createInstances(app)
  s.app.startPolling()
  const calls = causeEvents(app, instances.values(), urls)
  for (const call of [...calls, ...calls]) await deliver(call)
  await pollAll(app)
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const published = await messagesOf(app)
  for (const [id, { trigger }] of instances) {
    const { slug, payload } = trigger
    const own = published.filter(({ data }) => data['trigger_id'] === id)
    assert.equal(own.length, 1, `${slug} has ${own.length} events`)
    const validate = ajv.compile(payload)
    assert.ok(validate(own[0]!.payload), `${slug}: ${JSON.stringify(validate.errors)}`)
  }
  await pollAll(app)
  assert.equal((await messagesOf(app)).length, instances.size, 'nothing is published twice')
})
