import { hostPlaceholders } from '../../manifest/compile/auth/secret-hosts.ts'
import { isObject } from '../json.ts'
import type { Imported } from '../imported.ts'

/** Keys of texts that a person reads; nothing is sent to a URL in them. */
const TEXT_KEYS = new Set('description descriptions display_name example hint hint_url name setup'.split(' '))
const HOST = /^(?:[a-z][a-z0-9+.-]*:\/\/|\{[^}]*\})[^/?#]*/i

/**
 * Returns the hosts that receive credentials of a toolkit, as templates: of its base URL, of the URLs of its
 * authentication schemes, and of tools with a URL of their own. A field that takes part in a host counts with
 * what the manifest adds to its value.
 */
export function credentialRecipients({ toolkit, tools }: Pick<Imported, 'toolkit' | 'tools'>): Set<string> {
  const texts = [
    ...stringsIn([toolkit.base_url, toolkit.auth]),
    ...tools.flatMap(({ request }) => (request ? [request.path] : [])),
  ]
  const hosts = texts.flatMap((text) => HOST.exec(text)?.[0] ?? [])
  const names = new Set(hosts.flatMap((host) => hostPlaceholders(host).map(({ name }) => name)))
  return new Set([...hosts, ...hostFields(toolkit.auth, names)])
}

/** Returns what the fields add to hosts: a prefix, a suffix, a default or a choice. */
function hostFields(auth: Imported['toolkit']['auth'], names: ReadonlySet<string>): string[] {
  const fields = auth.flatMap(({ fields: stages }) => Object.values(stages ?? {}).flat())
  return fields
    .filter((field) => typeof field !== 'string')
    .filter(({ name }) => names.has(name))
    .flatMap(({ name, prefix, suffix, default: fallback, enum: choices = [] }) =>
      [
        ...choices,
        ...(typeof fallback === 'string' ? [fallback] : []),
        ...(prefix || suffix ? ['…'] : []),
      ].map((value) => `{${name}} = ${prefix ?? ''}${value}${suffix ?? ''}`),
    )
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => (TEXT_KEYS.has(key) ? [] : stringsIn(inner)))
}
