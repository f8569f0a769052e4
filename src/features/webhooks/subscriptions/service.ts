import type { EventType, PayloadVersion } from '../../../contract/events/index.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import { beginAndRetry } from '../../../platform/db/moved-rows.ts'
import type { Db, Pool } from '../../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'
import { type KeyPermissions, requireUnrestrictedKey } from '../../../platform/http/key-permissions.ts'
import type { Page } from '../../../platform/http/paging.ts'
import { newId } from '../../../platform/ids.ts'
import { newSecret, signer } from '../../../platform/webhook-signature.ts'
import type { AttemptDeps, AttemptResult } from '../delivery/attempt.ts'
import { deleteDeliveriesOfSubscription } from '../delivery/remove-deliveries.ts'
import { sendTestMessage } from '../delivery/test-message.ts'
import {
  decryptSecret,
  decryptSigningKey,
  encryptApprovalSecret,
  encryptFormerSecret,
  encryptSecret,
  newSigningKeyColumn,
  signingKeyChange,
} from './secrets.ts'
import * as store from './store.ts'
import { checkWebhookUrl } from './url-check.ts'
import { checkVersion } from './version-check.ts'

/** Dependencies of the feature, which the application wires. */
export interface WebhookDeps extends AttemptDeps {
  db: Pool
  encryptor: Encryptor
}

const SUBSCRIPTIONS_MAX = 20
const APPROVAL_REQUESTED = 'service.approval.requested'
/** Events whose receivers decide about calls. */
const DECISIVE_EVENTS = /^service\.(?:approval|session_hook)\./
const FIELDS = [
  'webhook_url',
  'enabled_events',
  'version',
  'max_at_once',
  'max_per_second',
  'asymmetric_signatures',
] as const

export interface SubscriptionFields extends store.DeliveryLimits {
  webhook_url: string
  enabled_events: EventType[]
  version: PayloadVersion
  /** Whether deliveries carry an Ed25519 signature too. */
  asymmetric_signatures?: boolean | undefined
}
/** The project, and the permissions of the API key. */
export interface Caller {
  projectId: string
  permissions: KeyPermissions
}

/** A subscription after a change, with the approval secret if the change created it. */
export interface ChangedSubscription {
  row: store.SubscriptionRow
  approvalSecret: string | null
}

type NewSubscription = Omit<SubscriptionFields, 'version'> & { version?: PayloadVersion }

// Every function takes the project; the ids of other projects are not found.

export async function readSubscription(
  { db }: { db: Db },
  projectId: string,
  id: string,
): Promise<store.SubscriptionRow> {
  const row = await store.findSubscription(db, projectId, id)
  if (!row) throw notFound(id)
  return row
}

export const listSubscriptions = ({ db }: WebhookDeps, projectId: string, page: Page) =>
  store.listSubscriptions(db, projectId, page)

/** @throws ApiError 403 for a restricted key and events with which receivers decide */
export async function createSubscription(
  { db, egress, encryptor }: WebhookDeps,
  { projectId, permissions }: Caller,
  { webhook_url, enabled_events, version = 'V3', max_at_once, max_per_second, ...more }: NewSubscription,
): Promise<ChangedSubscription> {
  checkWebhookUrl(egress, webhook_url)
  checkVersion(version, enabled_events)
  checkMayChange(permissions, enabled_events)
  const id = newId('ws')
  const approvalSecret = enabled_events.includes(APPROVAL_REQUESTED) ? newSecret() : null
  const own = await encryptor.ofProject(projectId)
  const row = await db.begin(async (tx) => {
    await store.lockSubscriptions(tx, projectId)
    await checkUrlIsFree(tx, projectId, webhook_url)
    if ((await store.countSubscriptions(tx, projectId)) >= SUBSCRIPTIONS_MAX)
      throw new ApiError(
        'WebhookSubscription_LimitReached',
        `The project has ${SUBSCRIPTIONS_MAX} webhook subscriptions, which is the limit. Delete one first.`,
      )
    return store.insertSubscription(tx, {
      id,
      project_id: projectId,
      webhook_url,
      version,
      enabled_events: [...new Set(enabled_events)],
      secret: encryptSecret(own, id, newSecret()),
      approval_secret: approvalSecret === null ? null : encryptApprovalSecret(own, id, approvalSecret),
      signing_key: more.asymmetric_signatures ? newSigningKeyColumn(own, id) : null,
      // A column that is named has no default.
      ...(max_at_once === undefined ? {} : { max_at_once }),
      ...(max_per_second === undefined ? {} : { max_per_second }),
    })
  })
  return { row, approvalSecret }
}

/**
 * @throws ApiError HTTP_BadRequest if nothing would change, or the version cannot express an event; 403 for a
 * restricted key and events with which receivers decide, before or after the change
 */
export function updateSubscription(
  { db, egress, encryptor }: WebhookDeps,
  { projectId, permissions }: Caller,
  id: string,
  patch: Partial<SubscriptionFields>,
): Promise<ChangedSubscription> {
  const { webhook_url, enabled_events, version, max_at_once, max_per_second } = patch
  if (FIELDS.every((field) => patch[field] === undefined))
    throw badRequest(
      `Error in payload: one of ${FIELDS.slice(0, -1).join(', ')} and ${FIELDS.at(-1)} is required`,
    )
  if (webhook_url !== undefined) checkWebhookUrl(egress, webhook_url)
  return db.begin(async (tx) => {
    await store.lockSubscriptions(tx, projectId)
    const row = await readSubscription({ db: tx }, projectId, id)
    checkMayChange(permissions, [...row.enabled_events, ...(enabled_events ?? [])])
    checkVersion(version ?? row.version, enabled_events ?? row.enabled_events)
    if (webhook_url !== undefined) await checkUrlIsFree(tx, projectId, webhook_url, id)
    const isFirstApproval = enabled_events?.includes(APPROVAL_REQUESTED) && row.approval_secret === null
    const approvalSecret = isFirstApproval ? newSecret() : null
    const own = await encryptor.ofProject(projectId)
    const updated = await store.updateSubscription(tx, projectId, id, {
      webhook_url,
      version,
      enabled_events: enabled_events && [...new Set(enabled_events)],
      max_at_once,
      max_per_second,
      ...signingKeyChange(own, row, patch.asymmetric_signatures),
      ...(approvalSecret && { approval_secret: encryptApprovalSecret(own, id, approvalSecret) }),
    })
    if (!updated) throw notFound(id)
    return { row: updated, approvalSecret }
  })
}

/** @throws ApiError 403 for a restricted key and a subscription with events with which receivers decide */
export const deleteSubscription = (
  { db }: WebhookDeps,
  { projectId, permissions }: Caller,
  id: string,
): Promise<void> =>
  beginAndRetry(db, async (tx) => {
    if (!(await store.lockSubscription(tx, projectId, id))) throw notFound(id)
    checkMayChange(permissions, (await readSubscription({ db: tx }, projectId, id)).enabled_events)
    await deleteDeliveriesOfSubscription(tx, projectId, id)
    await store.deleteSubscription(tx, projectId, id)
  })

/** Sends a test message. If it is delivered, a disabled subscription is enabled again. */
export async function testSubscription(
  deps: WebhookDeps,
  caller: { projectId: string; organizationId: string },
  id: string,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const row = await readSubscription(deps, caller.projectId, id)
  const receiver = {
    ...row,
    sign: signer([decryptSecret(deps.encryptor, row)], decryptSigningKey(deps.encryptor, row)),
  }
  const result = await sendTestMessage(deps, receiver, caller, signal)
  if (result.delivered) await store.enableSubscription(deps.db, caller.projectId, id)
  return result
}

/**
 * Creates a new secret. The former one signs too for `overlapHours`; one that was replaced before that stops now.
 */
export function rotateSecret(
  { db, encryptor }: WebhookDeps,
  projectId: string,
  id: string,
  overlapHours: number,
): Promise<store.SubscriptionRow> {
  return db.begin(async (tx) => {
    await store.lockSubscriptions(tx, projectId)
    const row = await store.findSubscription(tx, projectId, id)
    if (!row) throw notFound(id)
    const own = await encryptor.ofProject(projectId)
    const former = overlapHours > 0 ? encryptFormerSecret(own, id, decryptSecret(encryptor, row)) : null
    const secret = encryptSecret(own, id, newSecret())
    const updated = await store.replaceSecret(tx, row, secret, former, overlapHours)
    if (!updated) throw notFound(id)
    return updated
  })
}

/** Creates a new secret for decisions. The former one is invalid at once. */
export function rotateApprovalSecret(
  { db, encryptor }: WebhookDeps,
  projectId: string,
  id: string,
): Promise<string> {
  return db.begin(async (tx) => {
    await store.lockSubscriptions(tx, projectId)
    const { enabled_events: events } = await readSubscription({ db: tx }, projectId, id)
    if (!events.includes(APPROVAL_REQUESTED))
      throw badRequest(
        `Error in params.id: webhook subscription ${id} does not receive ${APPROVAL_REQUESTED}; ` +
          'add the event to enabled_events first',
      )
    const secret = newSecret()
    const encrypted = encryptApprovalSecret(await encryptor.ofProject(projectId), id, secret)
    if (!(await store.replaceApprovalSecret(tx, projectId, id, encrypted))) throw notFound(id)
    return secret
  })
}

/**
 * Receivers of approvals and session hooks read the arguments of calls and decide about them. A restricted key must not
 * be able to choose who they are.
 */
function checkMayChange(permissions: KeyPermissions, events: readonly EventType[]): void {
  const decisive = events.find((event) => DECISIVE_EVENTS.test(event))
  if (decisive)
    requireUnrestrictedKey(permissions, `create or change a webhook subscription with ${decisive}`)
}

const notFound = (id: string) =>
  new ApiError('WebhookSubscription_NotFound', `Webhook subscription ${id} not found`)

async function checkUrlIsFree(tx: Db, projectId: string, url: string, ownId?: string): Promise<void> {
  const other = await store.findByUrl(tx, projectId, url)
  if (other && other.id !== ownId)
    throw new ApiError(
      'WebhookSubscription_AlreadyExists',
      `Webhook subscription ${other.id} already delivers to this webhook_url.`,
    )
}
