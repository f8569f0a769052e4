import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Json = Record<string, unknown>

/** One scheme of a toolkit as in `auth` of a manifest, without the fields that follow from its templates. */
export type SchemeFacts = Json & { readonly scheme: string; readonly fields?: SchemeFields }

export interface SchemeFields {
  readonly auth_config_creation?: readonly Field[]
  readonly connected_account_initiation?: readonly Field[]
  readonly omit?: readonly string[]
}

export type Field = Json & { readonly name: string }

/** One line of `toolkits.jsonl`: how to sign in to one application, and where each fact is from. */
export interface ToolkitFacts {
  readonly slug: string
  /** Name, as the vendor writes it. */
  readonly name: string
  /** What an agent can do with the application, in one sentence. */
  readonly about: string
  readonly site: string
  readonly docs?: string
  readonly categories: readonly string[]
  /** File of `toolkits/_families/` whose blocks the toolkit shares. */
  readonly family: string
  readonly base_url: string
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly auth: readonly SchemeFacts[]
  /** Overrides of the generated connection fields, by name. */
  readonly fields?: Readonly<Record<string, Json>>
  /** Harmless request that verifies credentials, with the paths of the owner in its response. */
  readonly probe?: Json & { readonly path: string }
  /** Further keys of the manifest. */
  readonly manifest?: Json
  /** Page of the vendor where a key or an OAuth app is created. */
  readonly console?: string
  /** Fact (`base_url`, `API_KEY`, `OAUTH2`, `probe`, …) to its source. */
  readonly sources: Readonly<Record<string, string>>
}

/** A slug of the original platform without a toolkit here. */
export interface NotIncluded {
  readonly slug: string
  readonly name: string
  readonly reason: string
}

/** Date of the look-up of the facts. */
export const FACTS_DATE = '2026-11-22'

/** Returns the sign-in facts of all generated toolkits, by slug. */
export const readFacts = (): ToolkitFacts[] => readLines<ToolkitFacts>('./toolkits.jsonl')

/** Returns the toolkits of the original platform that no source confirms or that are its own internals. */
export const readNotIncluded = (): NotIncluded[] => readLines<NotIncluded>('./not-included.jsonl')

/** Returns the texts of connection fields, by name. `of` is `auth_config` for a field of the developer. */
export function readFieldTexts(): Record<string, Json & { readonly of?: string }> {
  return JSON.parse(readFileSync(fileURLToPath(new URL('./fields.json', import.meta.url)), 'utf8'))
}

/** Set-up steps of a scheme, as in a manifest. `{name}` stands for the name of the toolkit. */
export interface SetupTexts {
  readonly console_url?: string
  readonly steps: readonly string[]
  readonly source?: string
  readonly checked?: string
}

/** Returns the set-up steps by family, and general ones as `oauth2` and `key`. */
export function readSetupTexts(): Record<string, SetupTexts> {
  return JSON.parse(readFileSync(fileURLToPath(new URL('./setup.json', import.meta.url)), 'utf8'))
}

function readLines<T>(name: string): T[] {
  const text = readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T)
}
