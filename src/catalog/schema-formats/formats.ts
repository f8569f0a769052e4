/**
 * The rules of a model vendor for the schema of a tool's arguments. One invalid schema makes it reject all
 * tools of a request; each rule is based on an observed rejection.
 */
export interface SchemaFormat {
  readonly title: string
  /** Names of tools. */
  readonly toolName: RegExp
  /** Names of properties; others are written another way, and `restoreArguments` finds them again. */
  readonly propertyName: RegExp
  /**
   * The keywords of JSON Schema that it may contain, in addition to `type`, `description`, `properties`,
   * `required`, `items`, `enum` and the keywords for unions. Undefined: all.
   */
  readonly keywords: ReadonlySet<string> | undefined
  /** The `format`s that it may contain. Undefined: all. */
  readonly formats: ReadonlySet<string> | undefined
  /** `type`: `["string", "null"]`; `nullable`: a word of its own (OpenAPI 3.0). */
  readonly null: 'type' | 'nullable'
  /** Optional properties are required and may be null; objects are closed. */
  readonly allRequired: boolean
  /** An object of any members: left as it is, or told as a text that holds its JSON. */
  readonly freeObject: 'object' | 'text'
  /** Values of `enum` may be texts only. */
  readonly enumOfTexts: boolean
  readonly depthMax: number
  readonly propertiesMax: number
  readonly enumValuesMax: number
  /**
   * Characters of the schema as JSON. Beyond the vendors' own bounds: a tool that fills a model's context is
   * no use to it.
   */
  readonly charactersMax: number
}

const CHARACTERS_MAX = 40_000
const UNBOUNDED = Number.MAX_SAFE_INTEGER
const ALL_OF_JSON_SCHEMA = {
  keywords: undefined,
  formats: undefined,
  null: 'type',
  allRequired: false,
  freeObject: 'object',
  enumOfTexts: false,
} as const

/**
 * Sources: the vendors' pages on function calling and structured outputs (developers.openai.com,
 * docs.claude.com, ai.google.dev), as of 2026-11.
 */
export const SCHEMA_FORMATS = {
  openai: {
    title: 'OpenAI function calling',
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
    propertyName: /^.{1,200}$/su,
    ...ALL_OF_JSON_SCHEMA,
    depthMax: 10,
    propertiesMax: 5_000,
    enumValuesMax: 1_000,
    charactersMax: CHARACTERS_MAX,
  },
  openai_strict: {
    title: 'OpenAI structured outputs (strict: true)',
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
    propertyName: /^[a-zA-Z0-9_-]{1,64}$/,
    keywords: new Set([
      'title',
      'pattern',
      'format',
      'multipleOf',
      'minimum',
      'maximum',
      'exclusiveMinimum',
      'exclusiveMaximum',
      'minItems',
      'maxItems',
      'const',
    ]),
    formats: new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']),
    null: 'type',
    allRequired: true,
    freeObject: 'text',
    enumOfTexts: false,
    depthMax: 9,
    propertiesMax: 5_000,
    enumValuesMax: 1_000,
    charactersMax: CHARACTERS_MAX,
  },
  anthropic: {
    title: 'Anthropic tool use',
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
    propertyName: /^[a-zA-Z0-9_.-]{1,64}$/,
    ...ALL_OF_JSON_SCHEMA,
    depthMax: UNBOUNDED,
    propertiesMax: UNBOUNDED,
    enumValuesMax: UNBOUNDED,
    charactersMax: CHARACTERS_MAX,
  },
  gemini: {
    title: 'Gemini function calling',
    toolName: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
    propertyName: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
    keywords: new Set([
      'title',
      'format',
      'minimum',
      'maximum',
      'minItems',
      'maxItems',
      'minLength',
      'maxLength',
      'pattern',
    ]),
    formats: new Set(['date-time', 'int32', 'int64', 'float', 'double']),
    null: 'nullable',
    allRequired: false,
    freeObject: 'text',
    enumOfTexts: true,
    depthMax: 10,
    propertiesMax: UNBOUNDED,
    enumValuesMax: 500,
    charactersMax: CHARACTERS_MAX,
  },
} as const satisfies Record<string, SchemaFormat>

export type SchemaFormatName = keyof typeof SCHEMA_FORMATS
export const SCHEMA_FORMAT_NAMES = Object.keys(SCHEMA_FORMATS) as [SchemaFormatName, ...SchemaFormatName[]]
