import { isObject, type Json } from '../../src/catalog/importers/json.ts'
import { inWords, wordsOf } from '../../src/catalog/importers/tools/words.ts'
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
  const noun = singular(
    wordsOf(segment.replace(/\{[^{}]*\}/g, ''))
      .join(' ')
      .toLowerCase(),
  )
  const words = wordsOf(name).join(' ').toLowerCase()
  if (noun === '' || /^v\d/.test(noun)) return undefined
  if (words === 'id') return `Id of the ${noun}.`
  if (words === noun) return `Name or id of the ${noun}.`
  const isSpecific = /\b(id|ids|uuid|gid|number|name|key|slug|code|email|date|url|type)$/.test(words)
  return isSpecific ? undefined : `${inWords(name)} of the ${noun}.`
}

const singular = (noun: string): string =>
  noun.endsWith('ies') ? `${noun.slice(0, -3)}y` : noun.endsWith('ss') ? noun : noun.replace(/s$/, '')

function meaningOf(name: string, schema: Json): string {
  const words = wordsOf(name).map((word) => word.toLowerCase())
  const known = BY_NAME.get(words.join(''))
  if (known !== undefined) return known
  const last = words.at(-1) ?? ''
  const rest = words.slice(0, -1).join(' ')
  const [first = ''] = words
  if (rest !== '' && (last === 'id' || last === 'uuid' || last === 'gid')) return `Id of the ${rest}.`
  if (rest !== '' && (last === 'ids' || last === 'gids')) return `Ids of the ${plural(rest)}.`
  if (rest !== '' && last === 'number') return `Number of the ${rest}.`
  if (rest !== '' && last === 'name') return `Name of the ${rest}.`
  if (rest !== '' && last === 'email') return `E-mail address of the ${rest}.`
  if (rest !== '' && (last === 'url' || last === 'uri')) return `URL of the ${rest}.`
  const bound = boundOf(words)
  if (bound !== undefined) return bound
  if (rest !== '' && last === 'at') return `Time at which it ${stateOf(rest)}.`
  if (rest !== '' && last === 'time') return `Time of the ${rest}.`
  if (rest !== '' && last === 'date') return `Date of the ${rest}.`
  const isFlag = [schema['type']].flat().includes('boolean')
  if (['is', 'has', 'can', 'should'].includes(first) && words.length > 1)
    return `Whether it ${first} ${words.slice(1).join(' ')}.`
  if (isFlag && rest !== '' && ['enabled', 'disabled', 'allowed', 'required', 'active'].includes(last))
    return `Whether ${rest} ${/s$/.test(rest) ? 'are' : 'is'} ${last}.`
  if (
    isFlag &&
    rest !== '' &&
    ['enable', 'disable', 'allow', 'require', 'use', 'skip', 'ignore'].includes(first)
  )
    return `Whether to ${first} ${words.slice(1).join(' ')}.`
  if (isFlag && ['include', 'exclude', 'show', 'with', 'return', 'get'].includes(first) && words.length > 1)
    return `Whether to ${first === 'with' ? 'include' : first} ${words.slice(1).join(' ')}.`
  if (isFlag) return `Whether this applies: ${words.join(' ')}.`
  return name.length === 1 ? `Value of ${name}${kindOf(schema)}.` : `${inWords(name)}${kindOf(schema)}.`
}

const STARTS = new Set(['from', 'start', 'since', 'begin', 'after', 'min', 'gte'])
const ENDS = new Set(['to', 'end', 'until', 'before', 'max', 'lte'])

/** `from_date` and `endTime` are the bounds of a period. */
function boundOf(words: readonly string[]): string | undefined {
  const times = words.filter((word) => ['date', 'time', 'timestamp', 'datetime', 'at'].includes(word))
  const [other = ''] = words.filter((word) => !times.includes(word))
  if (times.length === 0 || times.length + 1 !== words.length) return undefined
  if (STARTS.has(other)) return 'Start of the period.'
  return ENDS.has(other) ? 'End of the period.' : undefined
}

/** `created` in `created_at` has an auxiliary; `expires` has none. */
const stateOf = (words: string): string =>
  /(ed|en|sent|paid|held|made|due)$/.test(words) ? `was ${words}` : words

function kindOf(schema: Json): string {
  const types = [schema['type']].flat()
  if (types.includes('array')) return ', as a list'
  if (schema['format'] === 'date-time') return ', as a time in RFC 3339'
  if (schema['format'] === 'date') return ', as a date'
  if (types.includes('integer') || types.includes('number')) return ', as a number'
  const members = isObject(schema['properties']) ? Object.keys(schema['properties']) : []
  return members.length > 0 && members.length <= VALUES_SHOWN ? `: ${members.join(', ')}` : ''
}

/** A few allowed values in words; the schema has all of them. */
function valuesOf(schema: Json): string {
  const values = Array.isArray(schema['enum']) ? schema['enum'].filter((value) => value !== null) : []
  if (values.length === 0) return ''
  const listing = values.slice(0, VALUES_SHOWN).map((value) => `\`${String(value).slice(0, 40)}\``)
  return `One of ${listing.join(', ')}${values.length > VALUES_SHOWN ? ' and others' : ''}.`
}

const plural = (noun: string): string => (noun.endsWith('s') ? noun : `${noun}s`)
