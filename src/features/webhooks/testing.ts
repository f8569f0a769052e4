import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { testApp } from '../../../test/fixtures/app.ts'
import { type Answer, type Recorded, upstream } from '../../../test/fixtures/upstream.ts'
import { until } from '../../../test/fixtures/until.ts'
import { showEvent } from '../../contract/events.ts'
import { createWebhook, type EventType, type PayloadVersion } from '../../contract/webhooks.ts'
import type { AppOptions } from '../../app/create-app.ts'
import { sql } from '../../platform/db/sql.ts'
import { emit, eventIdOf } from '../events/outbox.ts'

export const FACTS = {
  log_id: 'log_TpxVOLXYnwXZ',
  trigger_slug: 'GMAIL_NEW_GMAIL_MESSAGE',
  trigger_id: 'ti_Jk3FsTy0KbzR',
  trigger_uuid: '77aa0000-0000-4000-8000-000000000001',
  connected_account_id: 'ca_Zp4Wd81rNcYe',
  connected_account_uuid: '0e1c0000-0000-4000-8000-000000000002',
  auth_config_id: 'ac_7hQ2vLk9TmXa',
  user_id: 'u-17',
}

/** The application with a receiver, delivering; with `waits` not before it is told to. */
export async function delivering(t: TestContext, options: Partial<AppOptions> = {}, { waits = false } = {}) {
  const s = await testApp(t, options)
  const receiver = await upstream(t)
  const { db } = s.app
  const subscribe = async (
    path: string,
    version: PayloadVersion = 'V3',
    enabled_events: EventType[] = ['service.trigger.message'],
  ) => {
    const { status, body } = await s.call(createWebhook, {
      body: { webhook_url: `${receiver.url}${path}`, version, enabled_events },
    })
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }
  if (!waits) s.app.deliver()
  return {
    ...s,
    db,
    receiver,
    subscribe,
    answer(answer: (request: Recorded) => Answer | Promise<Answer>) {
      receiver.answer = answer
    },
    /** Tells messages of a trigger, by key; each is its own payload. Answers how many were new. */
    tell: (keys: readonly string[], trigger = FACTS.trigger_id) =>
      db.begin((tx) =>
        emit(
          tx,
          s.sealer,
          s.keys.projectId,
          keys.map((key) => ({
            key,
            trigger: { ...FACTS, trigger_id: trigger },
            payload: { message_id: key, subject: 'hi' },
          })),
        ),
      ),
    eventId: (key: string, trigger = FACTS.trigger_id) => eventIdOf(s.keys.projectId, trigger, key),
    show: async (key: string, trigger = FACTS.trigger_id) =>
      (await s.call(showEvent, { params: { event_id: eventIdOf(s.keys.projectId, trigger, key) } })).body,
    /** Nobody waits in a test: what waits for its next attempt is due. */
    hurry: () =>
      db.run(
        sql`with due as (update webhook_deliveries set next_at = now() where status = 'pending' returning 1) select pg_notify('deliveries', '') from due`,
      ),
    ended: (count: number) =>
      until(
        `${count} deliveries ended`,
        async () =>
          (
            await db.one<{ n: number }>(
              sql`select count(*)::int as n from webhook_deliveries where status <> 'pending'`,
            )
          )?.n === count,
      ),
    tried: (count: number) =>
      until(
        `${count} attempts`,
        async () =>
          (await db.one<{ n: number }>(sql`select count(*)::int as n from webhook_attempts`))?.n === count,
      ),
  }
}
