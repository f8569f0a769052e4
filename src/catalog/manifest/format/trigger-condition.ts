import { type Static, Type } from '../../../contract/schema-type.ts'
import { optional, Path, Strict, Text } from './shapes.ts'

const ItemCondition = Strict(
  {
    path: Path('Path of the value.'),
    equals: optional(Type.Unknown({ description: 'The value must equal this JSON value.' })),
    one_of: optional(Type.Array(Type.Unknown(), { description: 'The value must equal one of these.' })),
    contains: optional(Type.String({ description: 'The value, as text, must contain this.' })),
    exists: optional(Type.Boolean({ description: 'Whether a value must be present.' })),
    equals_config: optional(
      Text(
        'The value, as text, must equal this property of the configuration. Lists must have a common ' +
          'value. Holds when the property is not configured.',
      ),
    ),
  },
  { description: 'A condition: every part must hold.' },
)

/** Conditions on one event. */
export const itemConditions = (description: string) =>
  Type.Array(ItemCondition, { minItems: 1, maxItems: 10, description })

export type ItemConditionManifest = Static<typeof ItemCondition>
