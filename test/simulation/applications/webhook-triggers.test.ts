import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyDelivery, answerChallenge } from '../../../src/auth-schemes/index.ts'
import {
  type CompiledRequest,
  parseDelivery,
  type ResolvedTrigger,
  type Lookup,
  lookupFrom,
  render,
} from '../../../src/catalog/index.ts'
import type { WireRequest } from '../../../simulation/applications/index.ts'
import { configOf } from './fixture.ts'
import { checkPayload, createTriggerFixture } from './trigger-fixture.ts'

type Args = Record<string, unknown>

const { world, clock, all, causeEvent, openRequests } = await createTriggerFixture()
const pushed = all.filter(({ trigger }) => trigger.webhook)

const SECRETS: Args = {
  signing_secret: 'sim-signing',
  client_secret: 'sim-client-secret',
  secret_token: 'sim-token',
  team_id: 'T0SIM',
  'identity.tenant': '4242',
}
const WEBHOOK_URL = 'https://hooks.example.com/in/1?x=1'

const delivered = ({ method, url, headers, body }: WireRequest, raw = body) =>
  parseDelivery({ method, url, headers, raw })

for (const toolkit of new Set(pushed.map((one) => one.toolkit))) {
  test(`${toolkit.slug}: a delivery is verified, is one event, and has the payload of its schema`, async () => {
    for (const found of pushed.filter((one) => one.toolkit === toolkit)) {
      world.applications.get(toolkit.slug)!.reset()
      await checkWebhookTrigger(found)
    }
  })
}

async function checkWebhookTrigger(found: ResolvedTrigger): Promise<void> {
  const { slug, webhook } = found.trigger
  const { webhooks } = world.applications.get(found.toolkit.slug)!
  webhooks.known = SECRETS
  const config = configOf(found)
  const isApp = webhook!.scope === 'app'
  const known = isApp ? SECRETS : { ...SECRETS, ...(await register(found, config)) }
  const lookup: Lookup = lookupFrom(known)
  for (const request of isApp ? webhooks.tries(slug, WEBHOOK_URL, known) : webhooks.take()) {
    const handshake = webhook!.handshakes.find((one) => one.holds(delivered(request)))
    assert.ok(
      handshake && answerChallenge(handshake.manifest, delivered(request), lookup)?.body,
      `${slug}: the URL is tried`,
    )
  }
  const endpoint = isApp ? { to: WEBHOOK_URL, values: known } : {}
  const shows = await causeEvent(found, config, endpoint)
  const [request, ...more] = webhooks.take()
  assert.ok(request && more.length === 0, `${slug} is notified once`)
  await checkVerification(found, request, lookup)
  const item = checkEvent(found, request, config, { lookup, shows })
  webhooks.happen(slug, { config, ...endpoint })
  const [again] = webhooks.take()
  assert.notEqual(
    webhook!.keyOf(webhook!.itemsOf(delivered(again!))[0]!),
    webhook!.keyOf(item),
    `${slug}: another event is another`,
  )
  if (isApp) return
  await send(found, webhook!.registration!.remove!, { ...config, ...webhook!.constants, ...known })
  assert.equal(webhooks.happen(slug, { config }), 0, `${slug} has no registration left`)
}

/** Checks that the delivery passes with the secrets, and fails without them or with another body. */
async function checkVerification(
  { trigger: { slug, webhook } }: ResolvedTrigger,
  request: WireRequest,
  lookup: Lookup,
): Promise<void> {
  const context = {
    lookup,
    now: clock.now,
    fetchJwks: () => {
      throw new Error('the keys of the provider are not requested')
    },
    readEvents: () => webhook!.itemsOf(delivered(request)),
  }
  const verify = (delivery: ReturnType<typeof delivered>, more: object = {}) =>
    verifyDelivery(webhook!.verify, delivery, { ...context, ...more })
  assert.equal(await verify(delivered(request)), true, `${slug} is verified`)
  assert.equal(
    await verify(delivered(request), { lookup: lookupFrom({}) }),
    false,
    `${slug} is rejected without secrets`,
  )
  if (webhook!.verify.kind !== 'hmac') return
  const changed = delivered(request, Buffer.concat([request.body, Buffer.from(' ')]))
  assert.equal(await verify(changed), false, `${slug} is rejected with another body`)
}

/** Checks that the delivery is one event, of this trigger only, and returns its item. */
function checkEvent(
  found: ResolvedTrigger,
  request: WireRequest,
  config: Args,
  { lookup, shows }: { lookup: Lookup; shows: string },
) {
  const { slug, webhook, payloadOf } = found.trigger
  const items = webhook!.itemsOf(delivered(request)).filter((one) => webhook!.makesEvent(one, config))
  assert.equal(items.length, 1, `${slug}: ${request.body.toString()}`)
  const item = items[0]!
  if (webhook!.account)
    assert.deepEqual(webhook!.account.of(item), [render(webhook!.account.equals, lookup)], slug)
  const event = payloadOf({ ...item, config })
  checkPayload(found, event)
  assert.ok(JSON.stringify(event).includes(shows), `${slug} shows ${shows}: ${JSON.stringify(event)}`)
  for (const other of pushed) {
    if (other.toolkit !== found.toolkit || other === found) continue
    const isSame =
      (slug.startsWith('SLACK_RECEIVE') && other.trigger.slug.startsWith('SLACK_RECEIVE')) ||
      found.toolkit.slug === 'outlook'
    if (isSame) continue
    const makesEvent = other.trigger.webhook!.makesEvent(item, configOf(other))
    assert.equal(makesEvent, false, `${slug} is no ${other.trigger.slug}`)
  }
  return item
}

/** Registers a webhook and returns what is saved of it. */
async function register(found: ResolvedTrigger, config: Args): Promise<Args> {
  const { registration, constants } = found.trigger.webhook!
  const values = {
    webhook_url: WEBHOOK_URL,
    webhook_secret: 'sim-webhook-secret',
    webhook_id: 'e2a4',
    webhook_until: '2026-06-03T00:00:00Z',
    webhook_until_ms: 1_780_444_800_000,
  }
  const body = await send(found, registration!.request, { ...config, ...constants, ...values })
  const read = (path: string) => path.split('.').reduce<unknown>((at, name) => (at as Args)[name], body)
  const saved = Object.fromEntries(
    Object.entries(registration!.manifest.save ?? {}).map(([name, path]) => [name, read(path)]),
  )
  assert.ok(!Object.values(saved).includes(undefined), `${found.trigger.slug}: ${JSON.stringify(body)}`)
  if (registration!.renew)
    await send(found, registration!.renew, { ...config, ...constants, ...values, ...saved })
  return { ...values, ...saved }
}

async function send(found: ResolvedTrigger, request: CompiledRequest, args: Args): Promise<unknown> {
  const response = await (await openRequests(found))(request, args)
  assert.ok(response.ok, `${found.trigger.slug}: ${response.message}`)
  return response.body
}
