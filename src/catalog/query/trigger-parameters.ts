import type { JsonSchema, Trigger } from '../types/index.ts'
import { toFlatParameters, toObjectSchema } from './tool-parameters.ts'

/** The configuration and the payload of a trigger type in the two forms of the API. */
export interface TriggerParameters {
  /** API v3: name to descriptor. */
  readonly flatConfig: JsonSchema
  readonly flatPayload: JsonSchema
  /** API v3.1: JSON Schema. */
  readonly config: JsonSchema
  readonly payload: JsonSchema
}

const parametersByTrigger = new WeakMap<Trigger, TriggerParameters>()

/** Returns the parameters of a trigger type, computed once. */
export function triggerParameters(trigger: Trigger): TriggerParameters {
  let parameters = parametersByTrigger.get(trigger)
  if (!parameters) {
    const { config, payload } = trigger
    parameters = Object.freeze({
      flatConfig: withOptions(toFlatParameters(config)),
      flatPayload: toFlatParameters(payload),
      config: toObjectSchema(config, 'Config'),
      payload: toObjectSchema(payload, 'Payload'),
    })
    parametersByTrigger.set(trigger, parameters)
  }
  return parameters
}

/** A choice has the type `enum` here, with its values as `options`. */
function withOptions(flat: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(flat).map(([name, descriptor]) => {
      const { enum: options, ...rest } = descriptor as Record<string, unknown>
      return [name, options === undefined ? descriptor : { ...rest, type: 'enum', options }]
    }),
  )
}
