import type { AlertRule, createAlertRule, updateAlertRule } from '../../contract/alerts.ts'
import type { RequestOf } from '../../contract/route.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { EgressError } from '../../platform/egress/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { newSecret } from '../../platform/webhook-signature.ts'
import { type AlertTarget, decryptTarget, encryptTarget, notify, type NotifyDeps } from './notify.ts'
import * as store from './store.ts'

export interface AlertDeps extends NotifyDeps {
  db: Pool
  clock: Clock
}

type NewRule = NonNullable<RequestOf<typeof createAlertRule>['body']>
type RuleChange = NonNullable<RequestOf<typeof updateAlertRule>['body']>

const RULES_MAX = 50
const RATE_THRESHOLD_DEFAULT = 20
const RATE_MAX = 100
const WINDOW_DEFAULT = 15

export async function createRule(deps: AlertDeps, projectId: string, body: NewRule) {
  const { name, condition, channel, is_enabled: isEnabled = true } = body
  const threshold = body.threshold ?? (condition === 'error_rate' ? RATE_THRESHOLD_DEFAULT : 1)
  checkThreshold(condition, threshold)
  const target = readTarget(deps, body)
  const id = newId('alr')
  const encryptor = await deps.encryptor.ofProject(projectId)
  const row = await deps.db.begin((tx) =>
    store.insertRule(
      tx,
      {
        id,
        project_id: projectId,
        name,
        condition,
        threshold,
        window_minutes: body.window_minutes ?? WINDOW_DEFAULT,
        channel,
        encrypted_target: encryptTarget(encryptor, id, target),
        is_enabled: isEnabled,
      },
      RULES_MAX,
    ),
  )
  if (!row) throw new ApiError('Alert_LimitReached', `A project can have at most ${RULES_MAX} alert rules.`)
  return { ...presentRule(deps, row), secret: target.channel === 'webhook' ? target.secret : null }
}

export async function updateRule(
  deps: AlertDeps,
  projectId: string,
  id: string,
  change: RuleChange,
): Promise<AlertRule> {
  const rule = await requireRule(deps, projectId, id)
  checkThreshold(rule.condition, change.threshold ?? rule.threshold)
  const row = await store.updateRule(deps.db, projectId, id, change)
  if (!row) throw notFound(id)
  return presentRule(deps, row)
}

/** Sends a notification that says that it is a test. */
export async function testRule(deps: AlertDeps, projectId: string, id: string) {
  const rule = await requireRule(deps, projectId, id)
  const message = { status: 'firing', value: rule.threshold, isTest: true, at: deps.clock.now() } as const
  const error = await notify(deps, rule, message)
  return { sent: error === null, error }
}

export async function requireRule(
  { db }: Pick<AlertDeps, 'db'>,
  projectId: string,
  id: string,
): Promise<store.AlertRuleRow> {
  const rule = await store.findRule(db, projectId, id)
  if (!rule) throw notFound(id)
  return rule
}

export const notFound = (id: string) => new ApiError('Alert_NotFound', `Alert rule ${id} not found`)

const invalid = (field: string, reason: string, cause?: unknown) =>
  new ApiError('Alert_InvalidTarget', `Error in payload.${field}: ${reason}`, { cause })

function checkThreshold(condition: AlertRule['condition'], threshold: number): void {
  if (condition === 'error_rate' && threshold > RATE_MAX)
    throw invalid('threshold', `is a percentage for error_rate, so at most ${RATE_MAX}`)
}

/** @throws ApiError if the fields do not fit the channel, or the URL is not allowed */
function readTarget({ egress, mail }: AlertDeps, body: NewRule): AlertTarget {
  const { channel, webhook_url: url, email_addresses: addresses } = body
  if (channel === 'email') {
    if (!addresses) throw invalid('email_addresses', 'is required for the channel email')
    if (!mail)
      throw new ApiError('Alert_EmailNotConfigured', 'This server sends no email: it has no mail server.')
    return { channel, addresses }
  }
  if (url === undefined) throw invalid('webhook_url', `is required for the channel ${channel}`)
  try {
    egress.check(url)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw invalid('webhook_url', `cannot receive notifications: ${error.message}`, error)
  }
  return channel === 'webhook' ? { channel, url, secret: newSecret() } : { channel, url }
}

export function presentRule({ encryptor }: Pick<AlertDeps, 'encryptor'>, row: store.AlertRuleRow): AlertRule {
  const target = decryptTarget(encryptor, row)
  return {
    id: row.id,
    name: row.name,
    condition: row.condition,
    threshold: row.threshold,
    window_minutes: row.window_minutes,
    channel: row.channel,
    target: target.channel === 'email' ? target.addresses.join(', ') : new URL(target.url).host,
    is_enabled: row.is_enabled,
    status: row.firing_since ? 'firing' : 'ok',
    firing_since: row.firing_since?.toISOString() ?? null,
    last_value: row.last_value,
    checked_at: row.checked_at?.toISOString() ?? null,
    last_error: row.last_error,
    created_at: row.created_at.toISOString(),
  }
}
