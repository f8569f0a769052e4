import { createHash } from 'node:crypto'
import type { ResolvedTrigger, TriggerArguments } from '../../catalog/index.ts'
import { canonicalJson } from '../../catalog/importers/snapshot.ts'
import { describeSchemaErrors, createSchemaValidators } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'

/** Minutes. An OAuth app of the operator is shared by all projects, and so is what the application lets it ask. */
const MANAGED_MIN = 15

const CHARACTERS_MAX = 20_000

const check = createSchemaValidators(true)

/**
 * The configuration of an instance with its defaults. @throws ApiError 1213 for an interval out of bounds, 1214 for what the schema of the trigger type does not take
 */
export function readConfig(
  { trigger }: ResolvedTrigger,
  given: Readonly<Record<string, unknown>>,
  isManaged: boolean,
): { config: TriggerArguments; hash: string } {
  const config = structuredClone(given) as Record<string, unknown>
  if (JSON.stringify(config).length > CHARACTERS_MAX)
    throw new ApiError(
      'TriggerInstance_ConfigInvalid',
      `The configuration is larger than ${CHARACTERS_MAX} characters.`,
    )
  if (trigger.poll)
    config['interval'] = intervalOf(trigger.slug, trigger.poll.interval, config['interval'], isManaged)
  const validate = check(trigger.config)
  if (!validate(config))
    throw new ApiError(
      'TriggerInstance_ConfigInvalid',
      `The configuration does not fit ${trigger.slug}: ${describeSchemaErrors(validate).join('; ')}.`,
      { details: describeSchemaErrors(validate) },
    )
  return { config, hash: createHash('sha256').update(canonicalJson(config)).digest('hex') }
}

function intervalOf(
  slug: string,
  bounds: { default: number; min: number; max: number },
  given: unknown,
  isManaged: boolean,
): number {
  const least = isManaged ? Math.max(MANAGED_MIN, bounds.min) : bounds.min
  if (given === undefined || given === null) return Math.max(least, bounds.default)
  if (typeof given === 'number' && given >= least && given <= bounds.max) return given
  throw new ApiError(
    'TriggerInstance_PollingConfigInvalid',
    `trigger_config.interval must be a number of minutes from ${least} to ${bounds.max} for ${slug}${isManaged && bounds.min < MANAGED_MIN ? ' with an OAuth app of the operator; with one of your own it may be less' : ''}.`,
  )
}
