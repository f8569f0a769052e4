import { type Static, Type } from 'typebox'
import { optional, Path, Strict, Text } from './shapes.ts'

const ItemCondition = Strict(
  {
    path: Path('Where to look.'),
    equals: optional(Type.Unknown({ description: 'The value found must equal this JSON value.' })),
    one_of: optional(Type.Array(Type.Unknown(), { description: 'The value found must equal one of these.' })),
    contains: optional(Type.String({ description: 'The value found, as text, must contain this.' })),
    exists: optional(Type.Boolean({ description: 'Whether a value must be there at all.' })),
    equals_config: optional(
      Text(
        'The value found must equal this property of the configuration, as text; of lists, one value must be common. Holds where the configuration leaves it out.',
      ),
    ),
  },
  { description: 'A predicate: every named part must hold.' },
)

/** Predicates over one event. */
export const itemConditions = (description: string) =>
  Type.Array(ItemCondition, { minItems: 1, maxItems: 10, description })

export type ItemConditionManifest = Static<typeof ItemCondition>
