import type { Config } from '../../config.ts'
import type { Rule } from '../rules.ts'

/** One setting: its variable, rule, default and description. */
export interface Setting<T> {
  name: string
  rule: Rule<T>
  /** The text of the variable ('' is no value), or a function of the settings above it. */
  default: string | ((before: Partial<Config>) => T)
  /** Replaces the default in the reference, where it is not a fixed text. */
  defaultMeans?: string
  /** Shown in `.env.example` when there is no default. */
  example?: string
  /** The value is never shown. */
  secret?: true
  description: string
}

/** A part of the settings, by field. */
export type SomeSettings = { readonly [Field in keyof Config]?: Setting<Config[Field]> }
