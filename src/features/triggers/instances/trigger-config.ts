import type { ResolvedTrigger, TriggerArguments } from '../../../catalog/index.ts'
import { describeSchemaErrors, createSchemaValidators } from '../../../engine/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'

/**
 * The shortest interval with an OAuth app of the administrator, in minutes: all projects share the app and its rate
 * limits.
 */
const MANAGED_INTERVAL_MIN = 15

const CHARACTERS_MAX = 20_000

const validatorFor = createSchemaValidators(true)

/**
 * Reads the configuration of an instance and adds defaults. @throws ApiError 1213 for an interval out of
 * bounds, 1214 for a configuration that does not match the schema of the trigger type
 */
export function readConfig(
  { trigger }: ResolvedTrigger,
  input: Readonly<Record<string, unknown>>,
  isManaged: boolean,
): TriggerArguments {
  const config = structuredClone(input) as Record<string, unknown>
  if (JSON.stringify(config).length > CHARACTERS_MAX)
    throw new ApiError(
      'TriggerInstance_ConfigInvalid',
      `trigger_config is larger than ${CHARACTERS_MAX} characters.`,
    )
  if (trigger.poll)
    config['interval'] = intervalOf(trigger.slug, trigger.poll.interval, config['interval'], isManaged)
  const validate = validatorFor(trigger.config)
  if (!validate(config))
    throw new ApiError(
      'TriggerInstance_ConfigInvalid',
      `trigger_config does not match ${trigger.slug}: ${describeSchemaErrors(validate).join('; ')}.`,
      { details: describeSchemaErrors(validate) },
    )
  return config
}

function intervalOf(
  slug: string,
  bounds: { default: number; min: number; max: number },
  value: unknown,
  isManaged: boolean,
): number {
  const shortest = isManaged ? Math.max(MANAGED_INTERVAL_MIN, bounds.min) : bounds.min
  if (value === undefined || value === null) return Math.max(shortest, bounds.default)
  if (typeof value === 'number' && value >= shortest && value <= bounds.max) return value
  const ownApp =
    isManaged && bounds.min < MANAGED_INTERVAL_MIN
      ? ' with an OAuth app of the administrator. With an OAuth app of your own it may be shorter'
      : ''
  throw new ApiError(
    'TriggerInstance_PollingConfigInvalid',
    `trigger_config.interval must be a number of minutes from ${shortest} to ${bounds.max} for ${slug}${ownApp}.`,
  )
}
