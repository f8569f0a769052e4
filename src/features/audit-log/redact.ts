import { isObject } from '../../platform/json-object.ts'
import { unparsedMember } from '../../platform/json-outline/index.ts'
import { isSecretName, looksSecret } from '../../platform/secret-detection.ts'

/** A field and its value, without secrets. */
export type AuditFields = Record<string, unknown>

export const REDACTED = '[redacted]'

/** Fields with credentials, or with content of users that is encrypted everywhere else. */
const HIDDEN_FIELDS = new Set([
  'val', 'data', 'params', 'headers', 'query', 'body', 'arguments', 'input', 'payload', 'output', 'code', 'value',
  'text', 'content', 'document', 'definition', 'instructions', 'custom_auth_params', 'proxy_config', 'user_hint',
  'trigger_config', 'redirect_url', 'link_token', 'mcp_sign_in_url',
]) // prettier-ignore
/** Fields that change with every write and say nothing. */
const OMITTED_FIELDS = new Set([
  'updated_at',
  'last_updated_at',
  'deprecated',
  'logo',
  'test_request_endpoint',
])
const FIELDS_MAX = 100
const DEPTH_MAX = 5
const TEXT_MAX = 200

type Fields = [path: string, value: unknown][]

/**
 * Returns the fields of an object by their path (`toolkit.slug`), with their values in clear. Lists are values.
 * Deprecated fields are left out: they repeat others, of this object or of another one.
 */
function flatten(value: unknown, max: number): Fields {
  const fields: Fields = []
  collectFields(value, '', 0, { fields, max })
  return fields
}

function collectFields(
  value: unknown,
  path: string,
  depth: number,
  found: { readonly fields: Fields; readonly max: number },
): void {
  if (!isObject(value) || depth > DEPTH_MAX) {
    if (path !== '' && !path.startsWith('deprecated_params.')) found.fields.push([path, value])
    return
  }
  for (const name of Object.keys(value)) {
    if (found.fields.length >= found.max) return
    if (OMITTED_FIELDS.has(name)) continue
    const innerPath = path === '' ? name : `${path}.${name}`
    // A large value that the operation forwarded is not parsed for the log. An object is redacted.
    if (unparsedMember(value, name)) found.fields.push([innerPath, {}])
    else collectFields(value[name], innerPath, depth + 1, found)
  }
}

const isHiddenName = (name: string): boolean =>
  HIDDEN_FIELDS.has(name) || (!/(_ids?|_at|_count)$/.test(name) && name !== 'session' && isSecretName(name))

/** Only the origin of a URL: path and query can be a capability. */
function redactUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? origin : `${origin}/${REDACTED}`
}

function redactText(text: string): string {
  if (URL.canParse(text) && /^\w+:\/\//.test(text)) return redactUrl(text)
  return looksSecret(text) ? REDACTED : text.slice(0, TEXT_MAX)
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) {
    return value.every((item) => !isObject(item) && !Array.isArray(item))
      ? value.slice(0, FIELDS_MAX).map(redactValue)
      : `${value.length} items`
  }
  return isObject(value) ? REDACTED : value
}

const redactField = ([path, value]: [string, unknown]): [string, unknown] => [
  path,
  value !== null && typeof value !== 'boolean' && path.split('.').some(isHiddenName)
    ? REDACTED
    : redactValue(value),
]

const present = (fields: [string, unknown][]): AuditFields | null =>
  fields.length === 0 ? null : Object.fromEntries(fields.slice(0, FIELDS_MAX).map(redactField))

/**
 * Returns what a call changed, without secrets: all fields of an object that is new or gone, otherwise those with
 * another value. A changed secret is there as `[redacted]` before and after.
 */
export function describeChange(
  before: unknown,
  after: unknown,
): { before: AuditFields | null; after: AuditFields | null } {
  const isChange = before !== undefined && after !== undefined
  const max = isChange ? Infinity : FIELDS_MAX
  const [old, current] = [flatten(before, max), flatten(after, max)]
  if (!isChange) return { before: present(old), after: present(current) }
  const differsFrom = (others: [string, unknown][]) => {
    const values = new Map(others.map(([path, value]) => [path, JSON.stringify(value)]))
    return ([path, value]: [string, unknown]) => values.get(path) !== JSON.stringify(value)
  }
  return {
    before: present(old.filter(differsFrom(current))),
    after: present(current.filter(differsFrom(old))),
  }
}
