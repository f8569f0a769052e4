import { isObject, list, getOwn } from './json.ts'
import { isToolkitDocument } from './versions/toolkit-document.ts'

/** What a document is, or what is behind an address. */
export const KINDS = ['openapi', 'graphql', 'postman', 'mcp', 'toolkit'] as const
export type Kind = (typeof KINDS)[number]

const HEAD = 200_000
/** White space, comments and descriptions before the first definition of a GraphQL schema. */
const SKIPPED = /(?:[\s,\uFEFF]+|#[^\n]*|"""(?:[^"]|"(?!""))*"""|"[^"\n]*")/y
const DEFINITION =
  /(?:extend\s+)?(?:schema\b\s*[@{]|type\s+\w+\s*[@{&]|type\s+\w+\s+implements\b|interface\s+\w+|union\s+\w+|enum\s+\w+|input\s+\w+|scalar\s+\w+|directive\s*@)/y

/**
 * Tells from its beginning what a text is; everything that is neither a GraphQL schema nor a collection is
 * taken for an OpenAPI document, whose reader says best what is missing.
 */
export function kindOf(source: string): Exclude<Kind, 'mcp'> {
  const text = source.slice(0, HEAD)
  if (/^[\s\uFEFF]*\{/.test(text)) return kindOfJson(source)
  let at = 0
  for (; ; at = SKIPPED.lastIndex) {
    SKIPPED.lastIndex = at
    if (!SKIPPED.test(text)) break
  }
  DEFINITION.lastIndex = at
  // `type: object` is a line of YAML.
  return DEFINITION.test(text) ? 'graphql' : 'openapi'
}

function kindOfJson(source: string): Exclude<Kind, 'mcp'> {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    return 'openapi'
  }
  if (
    getOwn(value, 'openapi') !== undefined ||
    getOwn(value, 'swagger') !== undefined ||
    isObject(getOwn(value, 'paths'))
  )
    return 'openapi'
  if (
    isObject(getOwn(value, '__schema')) ||
    isObject(getOwn(getOwn(value, 'data'), '__schema')) ||
    (list(getOwn(value, 'errors')).length > 0 && getOwn(value, 'item') === undefined)
  )
    return 'graphql'
  if (isToolkitDocument(value)) return 'toolkit'
  const collection = getOwn(value, 'collection') ?? value
  return Array.isArray(getOwn(collection, 'item')) ||
    Array.isArray(getOwn(value, 'requests')) ||
    String(getOwn(getOwn(collection, 'info'), 'schema')).includes('getpostman.com')
    ? 'postman'
    : 'openapi'
}

/** What an address is most likely to be, by its path alone; undefined when only asking tells. */
export function kindOfAddress(address: string): Kind | undefined {
  const path = URL.canParse(address) ? new URL(address).pathname.toLowerCase().replace(/\/+$/, '') : ''
  if (/\/(graphql|gql)(\.json)?$/.test(path)) return 'graphql'
  return /\/(mcp|sse)$/.test(path) || /^mcp\./.test(URL.canParse(address) ? new URL(address).hostname : '')
    ? 'mcp'
    : undefined
}

const QUICK_MAX = 10_000
const MEMBERS = [
  'openapi',
  'swagger',
  'paths',
  'info',
  'item',
  'collection',
  'requests',
  'data',
  '__schema',
  'errors',
  '$ref',
  'toolkit',
]

/**
 * Whether a text in UTF-8 is plainly no document of any kind. Short ones are judged, which costs next to nothing;
 * whatever is longer may be one.
 */
export function isPlainlyNone(bytes: Uint8Array): boolean {
  if (bytes.length > QUICK_MAX) return false
  const source = new TextDecoder().decode(bytes)
  if (
    !/openapi|swagger|paths|item|collection|requests|schema|type|extend|errors|data|info|\$ref|toolkit/i.test(
      source,
    )
  )
    return true
  try {
    const value: unknown = JSON.parse(source)
    return !isObject(value) || !MEMBERS.some((name) => Object.hasOwn(value, name))
  } catch {
    return false
  }
}
