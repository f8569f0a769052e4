import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { verifyDelivery, answerChallenge } from '../../../src/auth-schemes/index.ts'
import {
  type CompiledRequest,
  parseDelivery,
  type ResolvedTrigger,
  loadCatalog,
  type Lookup,
  lookupFrom,
  render,
} from '../../../src/catalog/index.ts'
import { pollOnce } from '../../../src/features/triggers/polling/poll.ts'
import { type WireRequest, worldOf } from '../../../simulation/applications/index.ts'
import { askAs, configOf, runWith } from './fixture.ts'

const FOLDER = fileURLToPath(new URL('../../../toolkits', import.meta.url))
const catalog = await loadCatalog({ folder: FOLDER, operations: false })
let now = Date.UTC(2026, 5, 1)
const world = worldOf(catalog, FOLDER, { clock: () => now })
const run = runWith(catalog, world)
const all = catalog.toolkits.flatMap(({ slug }) => catalog.triggers(slug, 'latest'))
type Args = Record<string, unknown>

/**
 * The tool that causes the event of a trigger, and a word that the payload then contains. The events of all other
 * triggers are caused in the simulation.
 */
const DOES: Readonly<Record<string, readonly [tool: string, args: Args, shows?: string]>> = {
  AIRTABLE_NEW_RECORD_TRIGGER: [
    'AIRTABLE_CREATE_RECORDS',
    { base_id: 'appLkNDICXNqxSDhG', table: 'Projects', records: [{ fields: { Name: 'Zuse' } }] },
    'Zuse',
  ],
  ASANA_TASK_CREATED_TRIGGER: [
    'ASANA_CREATE_TASK',
    { name: 'Water the plants', projects: ['1200000000000001'] },
    'Water the plants',
  ],
  CLICKUP_TASK_CREATED_TRIGGER: ['CLICKUP_CREATE_TASK', { list_id: '901234567890', name: 'Call Bob' }],
  CONFLUENCE_PAGE_CREATED_TRIGGER: [
    'CONFLUENCE_CREATE_PAGE',
    { space_id: '98306', title: 'Minutes', body: '<p>x</p>' },
    'Minutes',
  ],
  DISCORD_NEW_MESSAGE_TRIGGER: [
    'DISCORD_SEND_MESSAGE',
    { channel_id: '1234567890123456789', content: 'Good morning' },
    'Good morning',
  ],
  DROPBOX_FILE_CHANGED_TRIGGER: [
    'DROPBOX_UPLOAD_FILE',
    { path: '/plan.txt', file: { content: 'Plan.' } },
    '/plan.txt',
  ],
  GITHUB_COMMIT_EVENT: [
    'GITHUB_CREATE_OR_UPDATE_FILE_CONTENTS',
    { owner: 'octocat', repo: 'hello-world', path: 'a.md', message: 'Say hello', content: 'Hello' },
    'Say hello',
  ],
  GITHUB_ISSUE_ADDED_EVENT: [
    'GITHUB_CREATE_AN_ISSUE',
    { owner: 'octocat', repo: 'hello-world', title: 'It rains in' },
    'It rains in',
  ],
  GITHUB_ISSUE_COMMENT_ADDED_EVENT: [
    'GITHUB_CREATE_AN_ISSUE_COMMENT',
    { owner: 'octocat', repo: 'hello-world', issue_number: 42, body: 'Me too' },
    'Me too',
  ],
  GITHUB_PULL_REQUEST_EVENT: [
    'GITHUB_CREATE_A_PULL_REQUEST',
    { owner: 'octocat', repo: 'hello-world', title: 'Repair the roof', head: 'roof', base: 'main' },
    'Repair the roof',
  ],
  GITHUB_STAR_ADDED_EVENT: [
    'GITHUB_STAR_A_REPOSITORY_FOR_THE_AUTHENTICATED_USER',
    { owner: 'octocat', repo: 'hello-world' },
  ],
  GITLAB_COMMIT_EVENT_TRIGGER: [
    'GITLAB_COMMIT_FILES',
    {
      project_id: '278964',
      branch: 'main',
      commit_message: 'Say hello',
      actions: [{ action: 'create', file_path: 'a.md', content: 'Hello' }],
    },
    'Say hello',
  ],
  GITLAB_ISSUE_EVENT_TRIGGER: [
    'GITLAB_CREATE_ISSUE',
    { project_id: '278964', title: 'Red build' },
    'Red build',
  ],
  GITLAB_MERGE_REQUEST_EVENT_TRIGGER: [
    'GITLAB_CREATE_MERGE_REQUEST',
    { project_id: '278964', source_branch: 'a', target_branch: 'main', title: 'Green build' },
    'Green build',
  ],
  GMAIL_EMAIL_SENT_TRIGGER: [
    'GMAIL_SEND_EMAIL',
    { to: ['grace@example.com'], from: 'ada@example.com', subject: 'Report', body: 'It is ready.' },
    'Report',
  ],
  GOOGLECALENDAR_GOOGLE_CALENDAR_EVENT_CHANGE_TRIGGER: [
    'GOOGLECALENDAR_CREATE_EVENT',
    { summary: 'Lunch', start_date: '2026-06-02', end_date: '2026-06-03' },
    'Lunch',
  ],
  GOOGLECALENDAR_GOOGLE_CALENDAR_EVENT_CREATED_TRIGGER: [
    'GOOGLECALENDAR_CREATE_EVENT',
    { summary: 'Lunch', start_date: '2026-06-02', end_date: '2026-06-03' },
    'Lunch',
  ],
  GOOGLEDRIVE_FILE_CREATED_TRIGGER: [
    'GOOGLEDRIVE_CREATE_FILE',
    { name: 'Plan', mime_type: 'text/plain' },
    'Plan',
  ],
  GOOGLEDRIVE_GOOGLE_DRIVE_CHANGES: [
    'GOOGLEDRIVE_CREATE_FILE',
    { name: 'Plan', mime_type: 'text/plain' },
    'Plan',
  ],
  HUBSPOT_CONTACT_CREATED_TRIGGER: [
    'HUBSPOT_CREATE_CONTACT',
    { properties: { email: 'grace@example.com' } },
    'grace@example.com',
  ],
  HUBSPOT_DEAL_CREATED_TRIGGER: ['HUBSPOT_CREATE_DEAL', { properties: { dealname: 'Big one' } }, 'Big one'],
  INTERCOM_NEW_CONVERSATION_TRIGGER: ['INTERCOM_CREATE_CONVERSATION', { contact_id: '1', body: 'Help me' }],
  JIRA_NEW_ISSUE_TRIGGER: [
    'JIRA_CREATE_ISSUE',
    { project_key: 'ENG', issue_type: 'Bug', summary: 'It rains in' },
    'It rains in',
  ],
  JIRA_UPDATED_ISSUE_TRIGGER: [
    'JIRA_CREATE_ISSUE',
    { project_key: 'ENG', issue_type: 'Bug', summary: 'It rains in' },
    'It rains in',
  ],
  LINEAR_COMMENT_EVENT_TRIGGER: [
    'LINEAR_CREATE_COMMENT',
    { issue_id: '9cfb482a-81e3-4154-b5b9-2c805e70a02d', body: 'Me too' },
    'Me too',
  ],
  LINEAR_ISSUE_CREATED_TRIGGER: [
    'LINEAR_CREATE_ISSUE',
    { team_id: '9cfb482a-81e3-4154-b5b9-2c805e70a02d', title: 'It rains in' },
    'It rains in',
  ],
  NODERED_FLOW_ADDED: ['NODERED_CREATE_FLOW', { label: 'Heating', nodes: [] }, 'Heating'],
  NOTION_COMMENTS_ADDED_TRIGGER: [
    'NOTION_CREATE_COMMENT',
    { block_id: '5c6a28216bb14a7eb6e1c50111515c3d', markdown: 'Well said' },
  ],
  NOTION_PAGE_ADDED_TO_DATABASE: [
    'NOTION_CREATE_PAGE',
    { parent_data_source_id: '1a44be12-0953-4631-b498-9e5817518db8', properties: { Name: 'Zuse' } },
    'Zuse',
  ],
  OUTLOOK_CONTACT_TRIGGER: ['OUTLOOK_CREATE_CONTACT', { given_name: 'Grace' }],
  OUTLOOK_EVENT_TRIGGER: [
    'OUTLOOK_CREATE_EVENT',
    {
      subject: 'Lunch',
      start: { dateTime: '2026-06-02T12:00:00', timeZone: 'UTC' },
      end: { dateTime: '2026-06-02T13:00:00', timeZone: 'UTC' },
    },
  ],
  OUTLOOK_SENT_MESSAGE_TRIGGER: [
    'OUTLOOK_SEND_EMAIL',
    {
      subject: 'Report',
      body: 'It is ready.',
      to_recipients: [{ emailAddress: { address: 'grace@example.com' } }],
    },
    'Report',
  ],
  SALESFORCE_NEW_LEAD_TRIGGER: ['SALESFORCE_CREATE_LEAD', { LastName: 'Hopper', Company: 'Navy' }, 'Navy'],
  SHOPIFY_PRODUCT_CREATED_TRIGGER: ['SHOPIFY_CREATE_PRODUCT', { title: 'Umbrella' }, 'Umbrella'],
  STRIPE_SUBSCRIPTION_ADDED_TRIGGER: [
    'STRIPE_CREATE_SUBSCRIPTION',
    { customer: 'cus_NffrFeUfNV2Hib', items: [{ price: 'price_1' }] },
    'cus_NffrFeUfNV2Hib',
  ],
  TRELLO_NEW_CARD_TRIGGER: [
    'TRELLO_CREATE_CARD',
    { idList: '5abbe4b7ddc1b351ef961415', name: 'Buy milk' },
    'Buy milk',
  ],
  TRELLO_NEW_COMMENT_TRIGGER: [
    'TRELLO_ADD_COMMENT',
    { idCard: '5abbe4de7ad532f0a4b5c1a2', text: 'Done' },
    'Done',
  ],
  ZENDESK_NEW_TICKET_TRIGGER: [
    'ZENDESK_CREATE_TICKET',
    { comment: 'Nothing works', subject: 'Help' },
    'Help',
  ],
}

/**
 * Tools that change what was there before, of which these triggers do not tell; `$id` is the member of the
 * object that says which.
 */
const OLD: Readonly<Record<string, readonly [tool: string, args: Args, id: string]>> = {
  ASANA_TASK_CREATED_TRIGGER: ['ASANA_UPDATE_TASK', { task_gid: '$id', name: 'Repot the plants' }, 'gid'],
  GOOGLECALENDAR_GOOGLE_CALENDAR_EVENT_CREATED_TRIGGER: [
    'GOOGLECALENDAR_UPDATE_EVENT',
    { event_id: '$id', summary: 'Late lunch' },
    'id',
  ],
  GITHUB_ISSUE_ADDED_EVENT: [
    'GITHUB_UPDATE_AN_ISSUE',
    { owner: 'octocat', repo: 'hello-world', issue_number: '$id', title: 'It is dry' },
    'number',
  ],
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })

function isPayload({ trigger: { slug, payload } }: ResolvedTrigger, event: Args): void {
  const validate = ajv.compile(payload)
  assert.ok(validate(event), `${slug}: ${JSON.stringify(validate.errors?.[0])} in ${JSON.stringify(event)}`)
}

/** Lets it happen, by a tool where there is one. */
async function happens(
  found: ResolvedTrigger,
  config: Args,
  app: { to?: string; values?: Args } = {},
): Promise<string> {
  const { slug } = found.trigger
  const application = world.applications.get(found.toolkit.slug)!
  const [tool, args, shows = ''] = DOES[slug] ?? []
  now += 60_000
  if (tool) {
    const { successful, error } = await run(tool, args!)
    assert.ok(successful, `${tool}: ${error}`)
  } else if (found.trigger.poll) assert.ok(application.happen(slug, config), slug)
  else assert.equal(application.webhooks.happen(slug, { config, ...app }), 1, slug)
  now += 60_000
  return shows
}

for (const toolkit of new Set(all.filter(({ trigger }) => trigger.poll).map((one) => one.toolkit))) {
  test(`${toolkit.slug}: whatever happens in the application makes one event, and not another one`, async () => {
    for (const found of all.filter((one) => one.toolkit === toolkit && one.trigger.poll)) {
      world.applications.get(toolkit.slug)!.reset()
      const { slug } = found.trigger
      const config = configOf(found)
      const send = await askAs(catalog, world, found, () => now)
      const poll = (state: Parameters<typeof pollOnce>[0]['state']) =>
        pollOnce({
          send,
          trigger: found.trigger as Parameters<typeof pollOnce>[0]['trigger'],
          config,
          state,
          now: () => now,
          deadlineAt: Infinity,
        })
      const [changes, args, id] = OLD[slug] ?? []
      const old = changes ? await run(...(DOES[slug]! as [string, Args])) : undefined
      now += 86_400_000
      const begun = await poll(undefined)
      assert.deepEqual([begun.items, begun.gap], [[], undefined], `${slug} begins`)
      const shows = await happens(found, config)
      const polled = await poll(begun.state)
      assert.equal(polled.items.length, 1, `${slug}: ${JSON.stringify(polled.items)}`)
      isPayload(found, polled.items[0]!.payload)
      assert.ok(
        JSON.stringify(polled.items[0]!.payload).includes(shows),
        `${slug} shows ${shows}: ${JSON.stringify(polled.items[0]!.payload)}`,
      )
      now += 86_400_000
      const later = await poll(polled.state)
      if (changes)
        assert.ok(
          (
            await run(
              changes,
              Object.fromEntries(
                Object.entries(args!).map(([name, value]) => [
                  name,
                  value === '$id' ? old!.data[id!] : value,
                ]),
              ),
            )
          ).successful,
          changes,
        )
      assert.deepEqual([later.items, (await poll(later.state)).items], [[], []], `${slug} tells once`)
    }
  })
}

const SECRETS: Args = {
  signing_secret: 'sim-signing',
  client_secret: 'sim-client-secret',
  secret_token: 'sim-token',
  team_id: 'T0SIM',
  'identity.tenant': '4242',
}
const URL_OF_OURS = 'https://hooks.example.com/in/1?x=1'

const delivered = ({ method, url, headers, body }: WireRequest, raw = body) =>
  parseDelivery({ method, url, headers, raw })

for (const toolkit of new Set(all.filter(({ trigger }) => trigger.webhook).map((one) => one.toolkit))) {
  test(`${toolkit.slug}: what the application tells is proven, is one event, and says what it shall`, async () => {
    for (const found of all.filter((one) => one.toolkit === toolkit && one.trigger.webhook)) {
      const { slug, webhook, payloadOf } = found.trigger
      const { webhooks } = world.applications.get(toolkit.slug)!
      world.applications.get(toolkit.slug)!.reset()
      webhooks.known = SECRETS
      const config = configOf(found)
      const isApp = webhook!.scope === 'app'
      const known = isApp ? SECRETS : { ...SECRETS, ...(await registered(found, config)) }
      const lookup: Lookup = lookupFrom(known)
      for (const request of isApp ? webhooks.tries(slug, URL_OF_OURS, known) : webhooks.take()) {
        const handshake = webhook!.handshakes.find((one) => one.holds(delivered(request)))
        assert.ok(
          handshake && answerChallenge(handshake.manifest, delivered(request), lookup)?.body,
          `${slug}: the address is tried`,
        )
      }
      const there = isApp ? { to: URL_OF_OURS, values: known } : {}
      const shows = await happens(found, config, there)
      const [request, ...more] = webhooks.take()
      assert.ok(request && more.length === 0, `${slug} is notified once`)
      const proof = {
        lookup,
        now,
        fetchJwks: () => {
          throw new Error('no keys are asked for')
        },
        readEvents: () => webhook!.itemsOf(delivered(request)),
      }
      assert.equal(
        await verifyDelivery(webhook!.verify, delivered(request), proof),
        true,
        `${slug} is proven`,
      )
      assert.equal(
        await verifyDelivery(webhook!.verify, delivered(request), { ...proof, lookup: lookupFrom({}) }),
        false,
        `${slug} without secrets`,
      )
      if (webhook!.verify.kind === 'hmac')
        assert.equal(
          await verifyDelivery(
            webhook!.verify,
            delivered(request, Buffer.concat([request.body, Buffer.from(' ')])),
            proof,
          ),
          false,
          `${slug} with another body`,
        )
      const items = webhook!.itemsOf(delivered(request)).filter((item) => webhook!.makesEvent(item, config))
      assert.equal(items.length, 1, `${slug}: ${request.body.toString()}`)
      const [item] = items
      if (webhook!.account)
        assert.deepEqual(webhook!.account.of(item!), [render(webhook!.account.equals, lookup)], slug)
      const event = payloadOf({ ...item, config })
      isPayload(found, event)
      assert.ok(JSON.stringify(event).includes(shows), `${slug} shows ${shows}: ${JSON.stringify(event)}`)
      for (const other of all.filter(
        (one) => one.toolkit === toolkit && one.trigger.webhook && one !== found,
      )) {
        const isSame =
          (slug.startsWith('SLACK_RECEIVE') && other.trigger.slug.startsWith('SLACK_RECEIVE')) ||
          toolkit.slug === 'outlook'
        if (!isSame)
          assert.equal(
            other.trigger.webhook!.makesEvent(item!, configOf(other)),
            false,
            `${slug} is no ${other.trigger.slug}`,
          )
      }
      webhooks.happen(slug, { config, ...there })
      const [again] = webhooks.take()
      assert.notEqual(
        webhook!.keyOf(webhook!.itemsOf(delivered(again!))[0]!),
        webhook!.keyOf(item!),
        `${slug}: another event is another`,
      )
      if (isApp) continue
      await asked(found, webhook!.registration!.remove!, { ...config, ...webhook!.constants, ...known })
      assert.equal(webhooks.happen(slug, { config }), 0, `${slug} is forgotten`)
    }
  })
}

/** Registers an address; answers what is kept of it. */
async function registered(found: ResolvedTrigger, config: Args): Promise<Args> {
  const { registration, constants } = found.trigger.webhook!
  const values = {
    webhook_url: URL_OF_OURS,
    webhook_secret: 'sim-webhook-secret',
    webhook_id: 'e2a4',
    webhook_until: '2026-06-03T00:00:00Z',
    webhook_until_ms: 1_780_444_800_000,
  }
  const body = await asked(found, registration!.request, { ...config, ...constants, ...values })
  const read = (path: string) => path.split('.').reduce<unknown>((at, name) => (at as Args)[name], body)
  const saved = Object.fromEntries(
    Object.entries(registration!.manifest.save ?? {}).map(([name, path]) => [name, read(path)]),
  )
  assert.ok(!Object.values(saved).includes(undefined), `${found.trigger.slug}: ${JSON.stringify(body)}`)
  if (registration!.renew)
    await asked(found, registration!.renew, { ...config, ...constants, ...values, ...saved })
  return { ...values, ...saved }
}

async function asked(found: ResolvedTrigger, request: CompiledRequest, args: Args): Promise<unknown> {
  const answer = await (await askAs(catalog, world, found, () => now))(request, args)
  assert.ok(answer.ok, `${found.trigger.slug}: ${answer.message}`)
  return answer.body
}
