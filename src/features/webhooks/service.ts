import { EVENT_TYPES, type EventType, type PayloadVersion } from '../../contract/webhooks.ts'
import { newSecret, signer } from '../../platform/webhook-signature.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Page } from '../../platform/http/paging.ts'
import { newId } from '../../platform/ids.ts'
import { checkAddress } from './address.ts'
import type { Answered, AttemptDeps } from './attempt.ts'
import { openSecret, sealFormer, sealSecret } from './secrets.ts'
import * as store from './store.ts'
import { sendTest } from './test-event.ts'

/** What this feature needs of the rest of the program; app.ts supplies it. */
export interface WebhookDeps extends AttemptDeps {
  db: Pool
  encryptor: Encryptor
}

const SUBSCRIPTIONS_MAX = 20
interface Wanted extends store.Pace {
  webhook_url: string
  enabled_events: EventType[]
  version: PayloadVersion
}

/** The rules of webhook subscriptions. Every function takes the project; ids of others are missing ones. */
export function webhookService(deps: WebhookDeps) {
  const { db, encryptor, egress } = deps
  const notFound = (id: string) =>
    new ApiError('WebhookSubscription_NotFound', `Webhook subscription ${id} not found`)

  async function read(projectId: string, id: string): Promise<store.SubscriptionRow> {
    const row = await store.find(db, projectId, id)
    if (!row) throw notFound(id)
    return row
  }

  return {
    read,
    list: (projectId: string, page: Page) => store.list(db, projectId, page),

    create(
      projectId: string,
      {
        webhook_url,
        enabled_events,
        version = 'V3',
        max_at_once,
        max_per_second,
      }: Omit<Wanted, 'version'> & { version?: PayloadVersion },
    ): Promise<store.SubscriptionRow> {
      checkAddress(egress, webhook_url)
      checkVersion(version, enabled_events)
      return db.begin(async (tx) => {
        await store.hold(tx, projectId)
        const same = await store.withUrl(tx, projectId, webhook_url)
        if (same) throw taken(same.id)
        if ((await store.count(tx, projectId)) >= SUBSCRIPTIONS_MAX)
          throw new ApiError(
            'WebhookSubscription_LimitReached',
            `A project has at most ${SUBSCRIPTIONS_MAX} webhook subscriptions.`,
          )
        const id = newId('ws')
        return store.insert(tx, {
          id,
          project_id: projectId,
          webhook_url,
          version,
          enabled_events: unique(enabled_events),
          secret: sealSecret(encryptor, id, newSecret()),
          ...given({ max_at_once, max_per_second }),
        })
      })
    },

    /** @throws ApiError HTTP_BadRequest when nothing would change, or the version cannot express an event */
    update(
      projectId: string,
      id: string,
      { webhook_url, enabled_events, version, max_at_once, max_per_second }: Partial<Wanted>,
    ): Promise<store.SubscriptionRow> {
      if (
        [webhook_url, enabled_events, version, max_at_once, max_per_second].every((one) => one === undefined)
      )
        throw badRequest(
          'Error in payload: one of webhook_url, enabled_events, version, max_at_once and max_per_second is required',
        )
      if (webhook_url !== undefined) checkAddress(egress, webhook_url)
      return db.begin(async (tx) => {
        await store.hold(tx, projectId)
        const row = await store.find(tx, projectId, id)
        if (!row) throw notFound(id)
        checkVersion(version ?? row.version, enabled_events ?? row.enabled_events)
        const same = webhook_url === undefined ? undefined : await store.withUrl(tx, projectId, webhook_url)
        if (same && same.id !== id) throw taken(same.id)
        const changed = await store.update(tx, projectId, id, {
          webhook_url,
          version,
          enabled_events: enabled_events && unique(enabled_events),
          max_at_once,
          max_per_second,
        } as Partial<Wanted>)
        if (!changed) throw notFound(id)
        return changed
      })
    },

    async remove(projectId: string, id: string): Promise<void> {
      if ((await store.remove(db, projectId, id)) === 0) throw notFound(id)
    },

    /** Sends a test event; when it arrives, a subscription that was disabled is enabled again. */
    async test(
      caller: { projectId: string; organizationId: string },
      id: string,
      signal: AbortSignal,
    ): Promise<Answered> {
      const row = await read(caller.projectId, id)
      const answered = await sendTest(
        deps,
        { ...row, sign: signer([openSecret(encryptor, row)]) },
        caller,
        signal,
      )
      if (answered.delivered) await store.resume(db, caller.projectId, id)
      return answered
    },

    /** A new secret. The old one signs beside it for `overlapHours`; one that was replaced before ends now. */
    rotate(projectId: string, id: string, overlapHours: number): Promise<store.SubscriptionRow> {
      return db.begin(async (tx) => {
        await store.hold(tx, projectId)
        const row = await store.find(tx, projectId, id)
        const former = row && overlapHours > 0 ? sealFormer(encryptor, id, openSecret(encryptor, row)) : null
        const changed =
          row &&
          (await store.replaceSecret(tx, row, sealSecret(encryptor, id, newSecret()), former, overlapHours))
        if (!changed) throw notFound(id)
        return changed
      })
    },
  }
}

const given = <T extends object>(row: T): Partial<T> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Partial<T>

const unique = <T>(all: readonly T[]): T[] => [...new Set(all)]

const taken = (id: string) =>
  new ApiError(
    'WebhookSubscription_AlreadyExists',
    `Webhook subscription ${id} delivers to this webhook_url already.`,
  )

function checkVersion(version: PayloadVersion, events: readonly EventType[]): void {
  const beyond = events.filter(
    (event) => !(EVENT_TYPES[event].versions as readonly string[]).includes(version),
  )
  if (beyond.length > 0)
    throw badRequest(
      ...beyond.map(
        (event) =>
          `Error in payload.version: ${event} is not part of ${version}; use ${EVENT_TYPES[event].versions.join(' or ')}`,
      ),
    )
}
