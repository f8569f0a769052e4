import { isObject, type Json, getOwn, nonEmptyString } from '../json.ts'
import type { Body } from '../model.ts'
import { type Pair, pairs } from './address.ts'
import { schemaOfExample, schemaOfText } from './infer.ts'
import { VARIABLE, type Variables } from './variables.ts'

const LANGUAGES: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  text: 'text/plain',
  javascript: 'application/javascript',
}

/** The body of a request by its example; undefined when there is none. */
export function bodyOf(
  body: unknown,
  contentType: string | undefined,
  variables: Variables,
): Body | undefined {
  if (!isObject(body) || getOwn(body, 'disabled') === true) return undefined
  const mode = getOwn(body, 'mode')
  const content = typeof mode === 'string' ? getOwn(body, mode) : undefined
  if (mode === 'raw')
    return typeof content === 'string' && content.trim() !== ''
      ? raw(content, typeOf(body, contentType), variables)
      : undefined
  if (mode === 'urlencoded') return form('application/x-www-form-urlencoded', pairs(content))
  if (mode === 'formdata') return form('multipart/form-data', pairs(content))
  if (mode === 'graphql') return graphql(content, variables)
  return mode === 'file'
    ? made(contentType ?? 'application/octet-stream', { type: 'string', format: 'binary' })
    : undefined
}

const made = (mediaType: string, schema: Json): Body => ({
  mediaType,
  required: true,
  description: undefined,
  schema: { value: schema, base: '' },
  encoding: new Map(),
})

function typeOf(body: Json, contentType: string | undefined): string | undefined {
  const language = getOwn(getOwn(getOwn(body, 'options'), 'raw'), 'language')
  return (
    contentType ??
    (typeof language === 'string' && Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined)
  )
}

function raw(source: string, type: string | undefined, variables: Variables): Body {
  const value =
    type === undefined || /json/i.test(type) || type === 'text/plain'
      ? readLoosely(source, variables)
      : undefined
  if (value !== undefined)
    return made(type !== undefined && /json/i.test(type) ? type : 'application/json', schemaOfExample(value))
  return made(type ?? 'text/plain', { type: 'string' })
}

/** Parses JSON text with variables as values, quoted or not, and with comments. Undefined for other text. */
export function readLoosely(source: string, variables: Variables): unknown {
  for (const text of [source, filledIn(source, variables)]) {
    try {
      const value: unknown = JSON.parse(text)
      return isObject(value) || Array.isArray(value) ? value : undefined
    } catch {
      /* Tried in the other way, or it is no JSON. */
    }
  }
  return undefined
}

/** Inside quotes a variable is text; outside it becomes a text of its own, or the value that it has. */
function filledIn(source: string, variables: Variables): string {
  const TOKENS = /"(?:[^"\\]|\\[^])*(?:"|$)|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|\{\{[^{}]{1,200}\}\}/g
  return source.replace(TOKENS, (token) => {
    if (token.startsWith('"')) return token
    if (token.startsWith('/')) return ''
    const value = variables.filled(token)
    return /^(-?\d+(\.\d+)?|true|false|null)$/.test(value) ? value : 'null'
  })
}

function form(mediaType: string, fields: readonly Pair[]): Body | undefined {
  if (fields.length === 0) return undefined
  const properties = new Map<string, Json>()
  for (const { key, value, description, file } of fields) {
    const one: Json = file
      ? { type: 'string', format: 'binary' }
      : { ...schemaOfText(value, key), ...(description !== undefined && { description }) }
    properties.set(key, properties.has(key) ? { type: 'array', items: one } : one)
  }
  return made(mediaType, { type: 'object', properties: Object.fromEntries(properties) })
}

/** The document is always the same; the variables are asked for. */
function graphql(content: unknown, variables: Variables): Body | undefined {
  const query = nonEmptyString(getOwn(content, 'query'))
  if (query === undefined) return undefined
  const values = getOwn(content, 'variables')
  const example = typeof values === 'string' ? readLoosely(values, variables) : values
  const name = nonEmptyString(getOwn(content, 'operationName'))
  return made('application/json', {
    type: 'object',
    required: ['query', ...(name === undefined ? [] : ['operationName'])],
    properties: {
      query: { type: 'string', enum: [query.replace(VARIABLE, '')] },
      ...(name !== undefined && { operationName: { type: 'string', enum: [name] } }),
      ...(isObject(example) && Object.keys(example).length > 0 && { variables: schemaOfExample(example) }),
    },
  })
}
