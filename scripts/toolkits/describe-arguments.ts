import { isObject, type Json } from '../../src/catalog/importers/json.ts'
import { inWords, wordsOf } from '../../src/catalog/importers/tools/words.ts'
import { isAdjective, meaningOfName, spelledApart } from './argument-meaning.ts'
import { singularNoun, withoutExtension } from './nouns.ts'
import table from './data/arguments.json' with { type: 'json' }

const BY_NAME = new Map<string, string>(Object.entries(table.names))
const VALUES_SHOWN = 6

/** Where an argument comes from and what it belongs to. */
export interface ArgumentContext {
  /** Tool that returns the value, for the argument of a path. */
  readonly source: string | undefined
  /** Fixed segment of the path before the argument. Undefined for arguments that are not in the path. */
  readonly selects: string | undefined
}

const ELSEWHERE: ArgumentContext = { source: undefined, selects: undefined }
const NOTES = /(Base64-encoded\.|One of \d+ values.*|Pattern: .*|Default: .*)$/s

/** Describes an argument from its name and its schema: a document without sentences says nothing else. */
export function describeArgument(name: string, schema: Json, { source, selects }: ArgumentContext): string {
  const from = source === undefined ? '' : ` Get it from ${source}.`
  const stated = typeof schema['description'] === 'string' ? schema['description'] : ''
  const meaning = (selects === undefined ? undefined : selectorOf(name, selects)) ?? meaningOf(name, schema)
  return [`${meaning}${from}`, valuesOf(schema), NOTES.exec(stated)?.[1]].filter(Boolean).join(' ')
}

/** Describes the members of an object on every level. */
export function describeMembers(schema: Json): Json {
  const described: Record<string, unknown> = { ...schema }
  if (isObject(schema['properties']))
    described['properties'] = Object.fromEntries(
      Object.entries(schema['properties']).map(([name, value]) => {
        const inner = describeMembers(isObject(value) ? value : {})
        return [name, { ...inner, description: describeArgument(name, inner, ELSEWHERE) }]
      }),
    )
  if (isObject(schema['items'])) described['items'] = describeMembers(schema['items'])
  if (isObject(schema['additionalProperties']))
    described['additionalProperties'] = describeMembers(schema['additionalProperties'])
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(schema[key]))
      described[key] = schema[key].map((branch) => (isObject(branch) ? describeMembers(branch) : branch))
  return described
}

/** `org` in `/orgs/{org}` is the name or id of the org; `owner` in `/repos/{owner}/{repo}` is that of the repo. */
function selectorOf(name: string, segment: string): string | undefined {
  const noun = singularNoun(
    wordsOf(withoutExtension(segment).replace(/\{[^{}]*\}/g, ''))
      .join(' ')
      .toLowerCase(),
  )
  const words = wordsOf(spelledApart(name)).join(' ').toLowerCase()
  if (noun === '' || isAdjective(noun) || /^v\d/.test(noun)) return undefined
  if (words === 'id' || /^id \w+$/.test(words)) return `Id of the ${noun}.`
  if (words === noun) return `Name or id of the ${noun}.`
  const isSpecific = /\b(id|ids|uuid|gid|number|name|key|slug|code|email|date|url|type)$/.test(words)
  return isSpecific ? undefined : `${inWords(name)} of the ${noun}.`
}

const meaningOf = (name: string, schema: Json): string =>
  BY_NAME.get(wordsOf(name).join('').toLowerCase()) ?? meaningOfName(name, schema)

/** A few allowed values in words; the schema has all of them. */
function valuesOf(schema: Json): string {
  const values = Array.isArray(schema['enum']) ? schema['enum'].filter((value) => value !== null) : []
  if (values.length === 0) return ''
  const listing = values.slice(0, VALUES_SHOWN).map((value) => `\`${String(value).slice(0, 40)}\``)
  return `One of ${listing.join(', ')}${values.length > VALUES_SHOWN ? ' and others' : ''}.`
}
