import type { ToolkitManifests } from '../compile/toolkit.ts'
import { propertiesOf } from '../json-schema.ts'
import type { RequestManifest, TriggerManifest, TriggerWebhookManifest } from '../format/index.ts'
import { pointerSegment, type DiagnosticReporter } from '../diagnostics.ts'
import type { JsonSchema } from '../../types/index.ts'
import { namesSuppliedByAnyScheme } from './auth/auth.ts'
import { checkPageFields } from './pagination.ts'
import { checkRequest } from './tools.ts'
import type { CompileContext } from '../compile/template/values.ts'
import { engineSuppliedNames } from '../compile/triggers/trigger.ts'
import { checkAppWebhooks, checkWebhook } from './webhooks.ts'

/**
 * Rules about trigger types that their schema cannot say. `supplied` are the names that every way to connect
 * gives.
 */
export function checkTriggers(
  { toolkit, triggers }: ToolkitManifests,
  uses: readonly CompileContext[],
  supplied: ReadonlySet<string>,
  report: DiagnosticReporter,
): void {
  const prefix = `${toolkit.slug.toUpperCase()}_`
  const names = new Map<string, string>()
  const tokens = namesSuppliedByAnyScheme(toolkit)
  triggers.forEach((trigger, index) => {
    const path = `/triggers${pointerSegment(index)}`
    for (const [name, at] of [
      [trigger.slug, 'slug'],
      ...(trigger.aliases ?? []).map((alias, place) => [alias, `aliases/${place}`]),
    ] as [string, string][]) {
      if (!name.startsWith(prefix) || name === prefix)
        report.add(`${path}/${at}`, `must begin with \`${prefix}\`.`)
      if (names.has(name)) report.add(`${path}/${at}`, `\`${name}\` is also a name of ${names.get(name)}.`)
      names.set(name, trigger.slug)
    }
    if ((trigger.poll === undefined) === (trigger.webhook === undefined || trigger.webhook.ping === true))
      report.add(
        path,
        trigger.webhook?.ping
          ? '`"ping": true` needs a `poll`: such a delivery does not contain the event.'
          : 'needs one of `poll` and `webhook`; both are allowed only with `"ping": true`.',
      )
    checkSchemas(trigger, path, report)
    const use = uses[index]!
    for (const name of use.usedConnection)
      if (!supplied.has(name))
        report.add(
          path,
          `\`${name}\` is neither a property of the configuration, nor supplied by the engine, nor a ` +
            `value of every scheme in \`auth\`.`,
        )
    if (trigger.poll?.use_token !== undefined && !tokens.has(trigger.poll.use_token))
      report.add(`${path}/poll/use_token`, `\`${trigger.poll.use_token}\` is not a value of a connection.`)
    if (trigger.poll) checkPoll(trigger, trigger.poll, use, `${path}/poll`, report)
    if (trigger.webhook)
      checkWebhookTrigger(trigger, trigger.webhook, supplied, use, `${path}/webhook`, report)
    checkEvent(trigger, `${path}/event`, report)
  })
  checkAppWebhooks(triggers, report)
}

function checkSchemas(trigger: TriggerManifest, path: string, report: DiagnosticReporter): void {
  for (const side of ['config', 'payload'] as const)
    if ((trigger[side] as { type?: unknown }).type !== 'object')
      report.add(`${path}/${side}/type`, 'must be `object`.')
  const properties = propertiesOf(trigger.config as JsonSchema)
  for (const name of engineSuppliedNames(trigger))
    if (Object.hasOwn(properties, name))
      report.add(
        `${path}/config/properties/${name}`,
        `\`${name}\` is supplied by the engine. Rename the property.`,
      )
  const { required = [] } = trigger.config as { required?: unknown }
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string'))
    return report.add(`${path}/config/required`, 'must be a list of names.')
  for (const name of required)
    if (!Object.hasOwn(properties, name))
      report.add(`${path}/config/required`, `\`${name}\` is not a property.`)
}

function checkPoll(
  trigger: TriggerManifest,
  poll: NonNullable<TriggerManifest['poll']>,
  use: CompileContext,
  path: string,
  report: DiagnosticReporter,
): void {
  const { by, cursor, since, page, detail, interval } = poll
  const requests: [RequestManifest, string, ReadonlySet<string>][] = [[poll.request, 'request', use.args]]
  if (cursor) requests.push([cursor.start.request, 'cursor/start/request', use.args])
  if (detail)
    requests.push([
      detail.request,
      'detail/request',
      new Set([...use.args, ...Object.keys(detail.arguments)]),
    ])
  for (const [request, at, args] of requests) checkRequest(request, args, `${path}/${at}`, report)
  if ((by === 'cursor') !== (cursor !== undefined))
    report.add(path, 'must have both `"by": "cursor"` and `cursor`, or neither.')
  if ((by === 'since') !== (since !== undefined))
    report.add(path, 'must have both `"by": "since"` and `since`, or neither.')
  if (by === 'since' && poll.time === undefined)
    report.add(path, '`"by": "since"` needs `time`: the next poll starts at the time of the newest item.')
  for (const name of ['cursor', 'since'] as const)
    if (by === name && !use.usedArgs.has(name))
      report.add(`${path}/request`, `does not use \`${name}\`, so every poll would return the same items.`)
  if (page) checkPageFields(page, `${path}/page`, report)
  if (page && !use.usedArgs.has('page'))
    report.add(`${path}/request`, 'does not use `page`, so every request would return the first page.')
  checkUsedConfig(trigger, poll, use, path, report)
  const { min = 1, default: usual = 15, max = 1_440 } = interval ?? {}
  if (min > usual || usual > max) report.add(`${path}/interval`, 'must have `min` ≤ `default` ≤ `max`.')
}

/** Every property of the configuration is there for something. */
function checkUsedConfig(
  trigger: TriggerManifest,
  { only_when, skip_when }: ConditionLists,
  use: CompileContext,
  path: string,
  report: DiagnosticReporter,
): void {
  const configured = propertiesOf(trigger.config as JsonSchema)
  for (const [list, conditions] of [
    ['only_when', only_when],
    ['skip_when', skip_when],
  ] as const) {
    conditions?.forEach(({ equals_config: name }, index) => {
      if (name === undefined) return
      use.usedArgs.add(name)
      if (!Object.hasOwn(configured, name))
        report.add(
          `${path}/${list}/${index}/equals_config`,
          `\`${name}\` is not a property of the configuration.`,
        )
    })
  }
  for (const name of Object.keys(configured))
    if (name !== 'interval' && !use.usedArgs.has(name))
      report.add(
        `${path.replace(/\w+$/, 'config')}/properties${pointerSegment(name)}`,
        'is not used by a request or a condition. Remove it, or use it.',
      )
}

type ConditionLists = Pick<NonNullable<TriggerManifest['poll']>, 'only_when' | 'skip_when'>

function checkWebhookTrigger(
  trigger: TriggerManifest,
  webhook: TriggerWebhookManifest,
  supplied: ReadonlySet<string>,
  use: CompileContext,
  path: string,
  report: DiagnosticReporter,
): void {
  checkWebhook(webhook, supplied, path, report)
  for (const name of ['request', 'renew', 'remove'] as const) {
    const request = webhook.registration?.[name]
    if (request) checkRequest(request, use.args, `${path}/registration/${name}`, report)
  }
  checkUsedConfig(trigger, webhook, use, path, report)
}

/** Where the values of an event may stand. */
const EVENT_ROOTS = {
  poll: ['item', 'detail', 'config'],
  webhook: ['item', 'body', 'decoded', 'headers', 'query', 'config'],
} as const

function checkEvent(trigger: TriggerManifest, path: string, report: DiagnosticReporter): void {
  const roots: readonly string[] = trigger.poll ? EVENT_ROOTS.poll : EVENT_ROOTS.webhook
  for (const [name, at] of Object.entries(trigger.event ?? {})) {
    const root = at.split(/[.[]/)[0]!
    if (!roots.includes(root))
      report.add(
        path + pointerSegment(name),
        `must begin with ${roots.map((one) => `\`${one}\``).join(', ')}.`,
      )
    if (root === 'detail' && !trigger.poll?.detail)
      report.add(path + pointerSegment(name), 'needs `detail` in `poll`, which is missing.')
  }
}
