/** A JSON Schema as it is written in a manifest. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Returns the value of a name, or undefined where nothing supplies it. */
export type Lookup = (name: string) => unknown

/** A compiled template text. */
export interface Template {
  readonly source: string
  /** Every name used, without duplicates. */
  readonly names: readonly string[]
  /** Names without a default and without `?`: rendering fails without them. */
  readonly required: readonly string[]
  readonly parts: readonly (string | Placeholder)[]
}

/** One `{…}` of a template: the first alternative that is set, passed through the filters. */
export interface Placeholder {
  readonly alternatives: readonly PlaceholderAlternative[]
  readonly filters: readonly ((text: string) => string)[]
  readonly optional: boolean
  /** `{+name}`: slashes of the value are not encoded in a path. */
  readonly keepSlashes: boolean
  /** Part of the URL that the placeholder is in, if the template is a URL; decides how a value is encoded. */
  readonly position: 'start' | 'host' | 'path' | 'query'
}

export type PlaceholderAlternative = { readonly name: string } | { readonly text: string }

/** A compiled JSON template: returns the value, or `ABSENT` where the property is left out. */
export type ValueTemplate = (args: Lookup, connection: Lookup) => unknown

/** Reads a dotted path, own keys only. Undefined where there is no value. */
export type PathReader = (value: unknown) => unknown
