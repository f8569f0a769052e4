import type { JsonSchema } from '../types/index.ts'
import { toFlatParameters, toObjectSchema } from './tool-parameters.ts'
import type { Trigger } from '../types/trigger.ts'

/** Configuration and payload of a trigger type in the two forms of the API. */
export interface TriggerParameters {
  /** v3: name to descriptor. */
  readonly flatConfig: JsonSchema
  readonly flatPayload: JsonSchema
  /** v3.1: JSON Schema. */
  readonly config: JsonSchema
  readonly payload: JsonSchema
}

const parametersByTrigger = new WeakMap<Trigger, TriggerParameters>()

/** The views of a trigger type, made once. */
export function triggerParameters(trigger: Trigger): TriggerParameters {
  let found = parametersByTrigger.get(trigger)
  if (!found) {
    const { config, payload } = trigger
    found = Object.freeze({
      flatConfig: withOptions(toFlatParameters(config)),
      flatPayload: toFlatParameters(payload),
      config: toObjectSchema(config, 'Config'),
      payload: toObjectSchema(payload, 'Payload'),
    })
    parametersByTrigger.set(trigger, found)
  }
  return found
}

/** A choice is of the type `enum` here, and its values are its `options`. */
function withOptions(flat: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(flat).map(([name, descriptor]) => {
      const { enum: options, ...rest } = descriptor as Record<string, unknown>
      return [name, options === undefined ? descriptor : { ...rest, type: 'enum', options }]
    }),
  )
}
