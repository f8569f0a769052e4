import assert from 'node:assert/strict'
import { test } from 'node:test'
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

test('every built-in trigger type: an instance of a simulated account publishes one event', async (t) => {
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
  async function connected(toolkit: ResolvedTrigger['toolkit']): Promise<string> {
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

  const instances = new Map<string, ResolvedTrigger>()
  const addresses = new Map<string, string>()
  for (const toolkit of catalog.toolkits) {
    const types = catalog.triggers(toolkit.slug, 'latest')
    if (types.length === 0) continue
    const account = await connected(toolkit)
    const { identity } = (await s.call(readConnectedAccount, { params: { nanoid: account } })).body
    world.applications.get(toolkit.slug)!.webhooks.known = {
      ...APP,
      ...WAYS[toolkit.slug]?.[1],
      'identity.tenant': identity?.tenant,
    }
    if (types.some(({ trigger }) => trigger.webhook?.scope === 'app')) {
      const made = await s.call(createWebhookEndpoint, { body: { toolkit_slug: toolkit.slug } })
      const { setup } = types.find(({ trigger }) => trigger.webhook?.scope === 'app')!.trigger.webhook!
      await s.call(replaceWebhookEndpoint, {
        params: { nano_id: made.body.id },
        body: { data: Object.fromEntries(setup.map(({ name }) => [name, APP[name as keyof typeof APP]])) },
      })
      addresses.set(toolkit.slug, made.body.webhook_url)
    }
    for (const found of types) {
      const reply = await s.call(upsertTrigger, {
        params: { slug: found.trigger.slug },
        body: { connected_account_id: account, trigger_config: configOf(found) } as never,
      })
      assert.equal(reply.status, 201, `${found.trigger.slug}: ${JSON.stringify(reply.body)}`)
      instances.set(reply.body.trigger_id, found)
    }
  }

  s.app.startPolling()
  const calls: WireRequest[] = []
  for (const found of instances.values()) {
    const { slug } = found.trigger
    const application = world.applications.get(found.toolkit.slug)!
    const config = configOf(found)
    if (TWINS.has(slug)) continue
    if (found.trigger.poll) assert.ok(application.happen(slug, config), slug)
    else
      application.webhooks.happen(slug, {
        config,
        to: addresses.get(found.toolkit.slug),
        values: application.webhooks.known,
      })
    calls.push(...application.webhooks.take())
  }
  for (const call of [...calls, ...calls]) await deliver(call)
  const polled = async () => {
    const before = await s.app.db.one<{ at: Date }>(sql`select clock_timestamp() as at`)
    await s.app.db.run(sql`update trigger_polls set next_run = now() where next_run is not null`)
    await until(
      'all were polled',
      async () =>
        (
          await s.app.db.rows(
            sql`select 1 from trigger_polls where next_run is not null and last_run < ${before!.at}`,
          )
        ).length === 0,
    )
  }
  await polled()
  const events = () =>
    s.app.db.rows<{ id: string; trigger: string; encrypted_payload: Buffer }>(
      sql`select id, data->>'trigger_id' as trigger, encrypted_payload from events where type = 'trigger.message'`,
    )
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const published = await events()
  for (const [
    id,
    {
      trigger: { slug, payload },
    },
  ] of instances) {
    const own = published.filter((one) => one.trigger === id)
    assert.equal(own.length, 1, `${slug} has ${own.length} events`)
    const validate = ajv.compile(payload)
    assert.ok(
      validate(s.encryptor.decrypt(own[0]!.encrypted_payload, `events:${own[0]!.id}:encrypted_payload`)),
      `${slug}: ${JSON.stringify(validate.errors)}`,
    )
  }
  await polled()
  assert.equal((await events()).length, instances.size, 'nothing is published twice')
})
