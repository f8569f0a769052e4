import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Answer, Recorded } from '../../../test/fixtures/upstream.ts'
import { until } from '../../../test/fixtures/until.ts'
import { sampleTrigger } from '../../catalog/testing.ts'
import { listTriggers, upsertTrigger } from '../../contract/triggers.ts'
import { sql } from '../../platform/db/sql.ts'
import { API_KEY, type Manifest, onStage, stage, type StageOptions } from '../connected-accounts/testing.ts'

export interface Order {
  id: number
  at?: string
  kind?: string
  shelf?: string
}

/** The application with a toolkit whose orders a trigger polls, newest first; `orders` is what there is. */
export async function triggered(
  t: TestContext,
  { triggers = [sampleTrigger()], ...options }: Partial<StageOptions> & { triggers?: Manifest[] } = {},
) {
  const orders: Order[] = []
  const application: {
    answer:
      | ((path: string, request: Recorded) => Answer | undefined | Promise<Answer | undefined>)
      | undefined
  } = { answer: undefined }
  const s = await stage(t, {
    auth: [API_KEY],
    ...options,
    code: { triggers: { triggers } },
    answer: async (request) =>
      (await application.answer?.(request.path, request)) ??
      (request.path === '/orders'
        ? { json: { orders: orders.map((order) => ({ kind: 'sale', ...order })) } }
        : { json: {} }),
  })
  const { db } = s.app
  const configId = options.auth ? '' : await s.config('API_KEY')
  const connect = (user = 'u1') =>
    s.account(configId, 'API_KEY', { generic_api_key: 'secret-key-1' }, { user_id: user })
  const upsert = (body: Record<string, unknown>, slug = 'SHOP_NEW_ORDER', call = s.call) =>
    call(upsertTrigger, { params: { slug }, body: body as never })
  return {
    ...s,
    db,
    orders,
    application,
    configId,
    connect,
    upsert,
    async trigger(body: Record<string, unknown> = {}): Promise<string> {
      const reply = await upsert({ connected_account_id: await connect(), ...body })
      assert.ok(reply.status < 300, JSON.stringify(reply.body))
      return reply.body.trigger_id
    },
    listed: async (query: Record<string, unknown> = {}) =>
      (await s.call(listTriggers, { query: query as never })).body.items,
    poll: async (id: string) =>
      await db.one<Record<string, any>>(
        sql`select *, claim::int as claim from trigger_polls where instance_id = ${id}`,
      ),
    events: () =>
      db.rows<{ id: string; type: string; data: Record<string, any>; sealed: Buffer | null }>(
        sql`select id, type, data, sealed from events order by seq`,
      ),
    payloads: async () =>
      (
        await db.rows<{ id: string; sealed: Buffer }>(
          sql`select id, sealed from events where type = 'trigger.message' order by seq`,
        )
      ).map(({ id, sealed }) => s.sealer.open<Record<string, unknown>>(sealed, `events:${id}:sealed`)),
    logs: () =>
      db.rows<{ kind: string; message: string | null; event_id: string | null }>(
        sql`select kind, message, event_id from trigger_logs order by created_at, id`,
      ),
    /** Nobody waits in a test: the next poll of every trigger is due. */
    hurry: () => db.run(sql`update trigger_polls set next_run = now() where next_run is not null`),
    /** Makes what is due be polled, and waits until it has been. */
    async polled(id: string): Promise<void> {
      const before = await db.one<{ at: string }>(
        sql`update trigger_polls set next_run = now() where instance_id = ${id} and next_run is not null returning coalesce(last_run::text, '') as at`,
      )
      assert.ok(before, 'it is polled at all')
      await until(
        'it was polled',
        async () =>
          (
            await db.one<{ at: string }>(
              sql`select coalesce(last_run::text, '') as at from trigger_polls where instance_id = ${id}`,
            )
          )?.at !== before.at,
      )
    },
    onStage: (call: typeof s.call) => onStage(s, call),
  }
}

/** New orders, the last one newest: lists show it first. */
export const give = (orders: Order[], ...more: Order[]): void => {
  for (const order of more) orders.unshift(order)
}
