/** Texts that the sign-in receives. */
export const TEXT = {
  key: { type: 'string', minLength: 1, maxLength: 256 },
  token: { type: 'string', pattern: '^[A-Za-z0-9]{43}$', maxLength: 43 },
  email: { type: 'string', format: 'email', maxLength: 254 },
  name: { type: 'string', minLength: 1, maxLength: 128 },
  password: { type: 'string', minLength: 1, maxLength: 256 },
  code: { type: 'string', minLength: 6, maxLength: 40 },
} as const

interface BodySchema<Name extends string, Optional extends Name> {
  type: 'object'
  additionalProperties: false
  required: readonly Name[]
  properties: Readonly<Record<Name, object>>
  /** For types only. */
  optional?: Optional
}

/** Returns the schema of a body with these texts. */
export const bodyOf = <Name extends string, Optional extends Name = never>(
  properties: Readonly<Record<Name, object>>,
  optional: readonly Optional[] = [],
): BodySchema<Name, Optional> => ({
  type: 'object',
  additionalProperties: false,
  required: (Object.keys(properties) as Name[]).filter(
    (name) => !(optional as readonly Name[]).includes(name),
  ),
  properties,
})

/** The body of a route with such a schema. */
export interface BodyOf<S> {
  Body: S extends BodySchema<infer Name, infer Optional>
    ? Record<Exclude<Name, Optional>, string> & Partial<Record<Optional, string>>
    : never
}
