import { propertiesOf } from '../../json-schema.ts'
import type { TriggerManifest } from '../../format/index.ts'
import { pointerSegment, type DiagnosticReporter } from '../../diagnostics.ts'
import { compilePath } from '../template/paths.ts'
import type { JsonSchema } from '../../../types/index.ts'
import type { CompileContext } from '../template/values.ts'
import { compilePoll, pollRequestNames } from './poll.ts'
import type { CompiledPoll, Trigger } from '../../../types/trigger.ts'
import { compileWebhook, registrationNames } from './webhook.ts'

/** Names that no configuration may have, because the engine supplies them. */
export const engineSuppliedNames = ({ poll, webhook }: TriggerManifest): readonly string[] => [
  ...(poll ? pollRequestNames(poll) : []),
  ...(webhook ? registrationNames(webhook) : []),
]

/**
 * Compiles one trigger type. `index`: its place in the file, for the report. Answers what its requests use
 * too.
 */
export function compileTrigger(
  manifest: TriggerManifest,
  index: number,
  toolkit: string,
  report: DiagnosticReporter,
): { trigger: Trigger; use: CompileContext } {
  const path = `/triggers${pointerSegment(index)}`
  const use: CompileContext = {
    args: new Set([
      ...Object.keys(propertiesOf(manifest.config as JsonSchema)),
      ...engineSuppliedNames(manifest),
    ]),
    usedArgs: new Set(),
    usedConnection: new Set(),
    report,
  }
  const poll = manifest.poll && compilePoll(manifest.poll, use, `${path}/poll`)
  const trigger: Trigger = {
    slug: manifest.slug,
    toolkit,
    name: manifest.name,
    description: manifest.description,
    instructions: manifest.instructions ?? '',
    deprecated: manifest.deprecated ?? false,
    aliases: manifest.aliases ?? [],
    scopeRequirements: manifest.scopes?.all_of.length ? { all_of: manifest.scopes.all_of } : null,
    config: poll ? withInterval(manifest.config as JsonSchema, poll) : (manifest.config as JsonSchema),
    payload: manifest.payload as JsonSchema,
    poll,
    webhook: manifest.webhook && compileWebhook(manifest.webhook, use, `${path}/webhook`),
    payloadOf: compilePayload(manifest),
    manifest,
  }
  return { trigger: Object.freeze(trigger), use }
}

/** Every polling trigger says how often it polls. */
function withInterval(config: JsonSchema, { interval }: CompiledPoll): JsonSchema {
  const own = {
    type: 'number',
    title: 'Interval (minutes)',
    description: 'Minutes between polls. At least 15 with an OAuth app of the administrator.',
    default: interval.default,
    minimum: interval.min,
    maximum: interval.max,
  }
  return { ...config, properties: { interval: own, ...propertiesOf(config) } }
}

function compilePayload({ event, poll }: TriggerManifest): Trigger['payloadOf'] {
  if (!event) return ({ item, detail }) => asObject(poll?.detail && detail !== undefined ? detail : item)
  const readers = Object.entries(event).map(([name, at]) => [name, compilePath(at)] as const)
  return (source) =>
    Object.fromEntries(
      readers.map(([name, read]) => [name, read(source)] as const).filter(([, value]) => value !== undefined),
    )
}

const asObject = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { value }
