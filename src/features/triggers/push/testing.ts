import { createHmac } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Answer, Recorded } from '../../../../test/fixtures/upstream.ts'
import { sampleTrigger } from '../../../catalog/testing.ts'
import { upsertTrigger } from '../../../contract/triggers.ts'
import { sql } from '../../../platform/db/sql.ts'
import { API_KEY, type Manifest, stage } from '../../connected-accounts/testing.ts'

const CONFIG = {
  type: 'object',
  properties: { shelf: { type: 'string', description: 'Only from this shelf.' } },
}
const SIGNED = {
  kind: 'hmac',
  algorithm: 'sha256',
  key: '{webhook_secret}',
  signature: { at: 'headers.x-sig' },
}
const HOOKS = {
  request: {
    method: 'POST',
    path: '/hooks',
    body: {
      url: { $: 'webhook_url' },
      secret: { $: 'webhook_secret' },
      event: '{topic}',
      until: '{webhook_until?}',
    },
  },
  save: { hook_id: 'id' },
  remove: { method: 'DELETE', path: '/hooks/{hook_id}' },
}
const PER_INSTANCE = {
  constants: { topic: 'orders' },
  registration: HOOKS,
  verify: SIGNED,
  only_when: [{ path: 'item.shelf', equals_config: 'shelf' }],
  key: 'headers.x-id',
}
const trigger = (slug: string, webhook: Manifest, more: Manifest = {}) =>
  sampleTrigger({ slug: `SHOP_${slug}`, poll: undefined, config: CONFIG, event: undefined, webhook, ...more })

/** Everything that a trigger can be told by: addresses of single instances with and without an end, with a handshake and as a ping, and that of an app. */
export const TRIGGERS: Manifest[] = [
  trigger('ORDER_TOLD', PER_INSTANCE),
  trigger('ORDER_LENT', {
    ...PER_INSTANCE,
    registration: {
      ...HOOKS,
      expires: { minutes: 60, at: 'until' },
      renew: { method: 'PATCH', path: '/hooks/{hook_id}', body: { until: '{webhook_until}' } },
    },
  }),
  trigger('ORDER_SHAKEN', {
    ...PER_INSTANCE,
    verify: { ...SIGNED, key: '{hook_secret}' },
    handshake: [
      {
        when: [{ path: 'headers.x-hook-secret' }],
        values: { secret: 'headers.x-hook-secret' },
        save: { hook_secret: 'headers.x-hook-secret' },
        reply: { headers: { 'x-hook-secret': '{secret}' } },
      },
    ],
  }),
  trigger('ORDER_SIGNED', { ...PER_INSTANCE, verify: { ...SIGNED, key: '{client_secret}' } }),
  {
    ...sampleTrigger({ slug: 'SHOP_ORDER_PINGED' }),
    webhook: {
      constants: { topic: 'ping' },
      registration: HOOKS,
      verify: { kind: 'token', at: 'headers.x-token', equals: '{webhook_secret}' },
      ping: true,
    },
  },
  ...['ORDER_IN_APP', 'REFUND_IN_APP'].map((slug) =>
    trigger(
      slug,
      {
        scope: 'app',
        setup: [
          {
            name: 'signing_secret',
            display_name: 'Signing secret',
            description: 'At the app.',
            secret: true,
          },
          { name: 'region', display_name: 'Region', description: 'At the app.', required: false },
        ],
        verify: {
          kind: 'hmac',
          algorithm: 'sha256',
          key: '{signing_secret}',
          message: '{timestamp}.{body}',
          signature: { at: 'headers.x-sig' },
          timestamp: { at: 'headers.x-at' },
        },
        handshake: [
          {
            when: [{ path: 'body.type', equals: 'verify' }],
            verified: true,
            values: { challenge: 'body.challenge' },
            reply: { text: '{challenge}' },
          },
          {
            when: [{ path: 'body.verification_token' }],
            save: { verification_token: 'body.verification_token' },
            reply: {},
          },
        ],
        account: { at: 'item.store', equals: '{subdomain}' },
        events: 'body.events',
        only_when: [
          { path: 'item.type', equals: slug.split('_')[0]!.toLowerCase() },
          { path: 'item.shelf', equals_config: 'shelf' },
        ],
        key: 'item.id',
      },
      { event: { id: 'item.id', shelf: 'item.shelf' } },
    ),
  ),
]

export const sign = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex')
export const SECRET = 'of-the-app'

/** The application with SHOP, whose API registers webhooks. `hooks` is what it holds, by id. */
export async function hooked(t: TestContext) {
  const hooks = new Map<string, { url: string; secret: string; event: string; until?: string }>()
  const application: {
    answer: ((request: Recorded) => Answer | undefined | Promise<Answer | undefined>) | undefined
  } = { answer: undefined }
  let count = 0
  const s = await stage(t, {
    auth: [
      {
        ...API_KEY,
        fields: {
          connected_account_initiation: [
            { name: 'subdomain', display_name: 'Store', description: 'Of the store.' },
          ],
        },
      },
    ],
    code: { triggers: { triggers: TRIGGERS } },
    answer: async (request) => {
      const own = await application.answer?.(request)
      if (own) return own
      const id = request.path.split('/')[2]
      if (request.path === '/hooks' && request.method === 'POST') {
        const made = JSON.parse(request.body) as { url: string; secret: string; event: string }
        hooks.set(String(++count), made)
        return { json: { id: count, ...made } }
      }
      if (id !== undefined && !hooks.has(id)) return { status: 404, json: { message: 'no such hook' } }
      if (request.method === 'DELETE') {
        hooks.delete(id!)
        return { status: 204 }
      }
      return { json: request.path === '/orders' ? { orders: [] } : { id } }
    },
  })
  const { db, http, tasks, schedules } = s.app
  const configId = await s.config('API_KEY')

  async function deliver(
    url: string,
    payload: string | Buffer,
    headers: Record<string, string> = {},
    method: 'POST' | 'GET' | 'HEAD' = 'POST',
  ) {
    const { pathname, search } = new URL(url, 'http://localhost:3900')
    const reply = await http.inject({
      method,
      url: pathname + search,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'POST' ? { payload } : {}),
    })
    return { status: reply.statusCode, text: reply.body, headers: reply.headers }
  }

  return {
    ...s,
    db,
    hooks,
    application,
    deliver,
    connect: (store = 'acme', user = 'u1') =>
      s.account(configId, 'API_KEY', { generic_api_key: 'key-1', subdomain: store }, { user_id: user }),
    upsert: (slug: string, body: Record<string, unknown>) =>
      s.call(upsertTrigger, { params: { slug: `SHOP_${slug}` }, body: body as never }),
    /** The last hook that the application holds. */
    hook: () => [...hooks.values()].at(-1)!,
    /** One event, signed as the application signs for a hook. */
    tell: (
      hook: { url: string; secret: string },
      id: string,
      event: object,
      headers: Record<string, string> = {},
    ) => {
      const body = JSON.stringify(event)
      return deliver(hook.url, body, { 'x-sig': sign(hook.secret, body), 'x-id': id, ...headers })
    },
    /** Makes the jobs of triggers that wait, once each. */
    async work(isLast = false): Promise<number> {
      const jobs = await db.rows<{ task: string; payload: Record<string, unknown> }>(sql`
        delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t where t.id = j.task_id and t.identifier like 'triggers.%' returning t.identifier as task, j.payload`)
      for (const { task, payload } of jobs)
        await tasks.find((one) => one.task === task)!.run(payload, { number: isLast ? 12 : 1, isLast })
      return jobs.length
    },
    schedule: async (task: string) => await schedules.find((one) => one.task === task)!.run(),
    payloads: async () =>
      (
        await db.rows<{ id: string; sealed: Buffer }>(
          sql`select id, sealed from events where type = 'trigger.message' order by seq`,
        )
      ).map(({ id, sealed }) => s.sealer.open<Record<string, unknown>>(sealed, `events:${id}:sealed`)),
    registrations: () =>
      db.rows<{ address: string; instance_id: string; registered_at: Date | null }>(
        sql`select address, instance_id, registered_at from trigger_registrations order by created_at`,
      ),
    instance: async (id: string) =>
      (await db.one<Record<string, any>>(sql`select * from trigger_instances where id = ${id}`)) as Record<
        string,
        any
      >,
  }
}
