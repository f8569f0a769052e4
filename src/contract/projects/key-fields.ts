import { type Static, Type } from '../schema-type.ts'
import { Described, Enum } from '../common.ts'

type Areas = Readonly<Record<string, readonly string[]>>

export const OVERLAP_SECONDS_MAX = 30 * 86_400

const permissionsSchema = (areas: Areas) =>
  Type.Object(
    Object.fromEntries(
      Object.entries(areas).map(([area, levels]) => [
        area,
        Type.Optional(
          Type.Array(Enum(levels as readonly ('read' | 'write')[]), {
            maxItems: 2,
            description: `Levels for the area \`${area}\`.`,
          }),
        ),
      ]),
    ),
    {
      additionalProperties: false,
      minProperties: 1,
      description: 'Levels by permission area. They cannot be changed after creation.',
    },
  )

const ExpiresAt = Type.String({
  format: 'date-time',
  maxLength: 40,
  examples: ['2027-02-03T09:00:00Z'],
  description: 'When the key expires: a time in the future.',
})

/** Fields of a request that creates a key. `areas`: the permission areas that the key can have. */
export const keyDraftFields = (areas: Areas) => ({
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Name of the key. Default: two random words.',
    }),
  ),
  permissions: Type.Optional(
    Described(
      permissionsSchema(areas),
      'Levels by permission area. Default: an unrestricted key. They cannot be changed later.',
    ),
  ),
  allowed_ips: Type.Optional(
    Type.Array(Type.String({ minLength: 2, maxLength: 64 }), {
      maxItems: 100,
      description: 'IP addresses and CIDR ranges that may use the key. Default: all.',
    }),
  ),
  expires_at: Type.Optional(
    Described(ExpiresAt, 'When the key expires: a time in the future. Default: never.'),
  ),
})
const KeyDraft = Type.Object(keyDraftFields({}))
export type KeyDraft = Omit<Static<typeof KeyDraft>, 'permissions'> & {
  permissions?: Readonly<Record<string, string[] | undefined>> | undefined
}

/** Fields of a request that replaces a key. */
export const rotationFields = {
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: OVERLAP_SECONDS_MAX,
      default: 86_400,
      description:
        'How long the earlier key stays valid, in seconds: at most 30 days, and not longer than it would have been. ' +
        'Default: 86400, one day. 0 revokes it at once.',
    }),
  ),
  expires_at: Type.Optional(
    Described(
      ExpiresAt,
      'When the new key expires: a time in the future. Default: after the same time as the key that it replaces.',
    ),
  ),
}
