import type { Lookup, PathStyle, Placeholder, Template } from '../../../types/index.ts'
import { percentEncode } from '../request/percent-encode.ts'
import { serializePathParameter } from '../request/parameter-serialization.ts'
import { MissingValue, UnsafeValue } from './errors.ts'
import { renderPlaceholder, placeholderName } from './templates.ts'

const HOST = /^[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?(?::\d{1,5})?$/u
const WHOLE_URL = /^https?:\/\/[^\s@/?#\\]+(?:\/[^\s?#\\]*)?$/i
const DOTS_IN_VALUE = /(?:^|[/\\])(?:\.|%2e){1,2}(?:$|[/\\])/i
const DOTS_IN_PATH = /(?:^|\/)(?:\.|%2e){1,2}(?:$|[/?])/i

/**
 * Renders a template that is an address or a path below one. What a value may be depends on where it stands:
 * a whole address at the start, a host name in the host, percent-encoded text elsewhere. A value that would
 * change the host or climb the path throws `UnsafeValue`, since the request carries the credentials of an
 * account.
 */
export function renderUrl(
  template: Template,
  lookup: Lookup,
  styles: Readonly<Record<string, PathStyle>> = {},
): string {
  let out = ''
  for (const part of template.parts)
    out +=
      typeof part === 'string'
        ? part
        : Object.hasOwn(styles, placeholderName(part))
          ? serializePlaceholder(part, lookup, styles[placeholderName(part)]!)
          : encodePlaceholder(part, lookup)
  const own = template.parts[0]
  // `/{+path}` with a value that begins with a slash would make a network-path reference (RFC 3986 4.2):
  // another host.
  if (out.startsWith('//') && !(typeof own === 'string' && own.startsWith('//')))
    throw new UnsafeValue(template.names[0] ?? '', 'must not begin with a slash')
  if (template.names.length > 0 && DOTS_IN_PATH.test(out))
    throw new UnsafeValue(template.names[0] ?? '', 'must not be a dot segment')
  return out
}

function encodePlaceholder(place: Placeholder, lookup: Lookup): string {
  const text = renderPlaceholder(place, lookup)
  // An empty segment would turn "delete this one" into "delete the collection".
  if (text === undefined || (text === '' && 'name' in place.alternatives.at(-1)!))
    throw new MissingValue(placeholderName(place))
  if (place.position === 'start') {
    if (!WHOLE_URL.test(text))
      throw new UnsafeValue(
        placeholderName(place),
        'must be a URL such as `https://host/path`, without user, query or fragment',
      )
    return text.replace(/\/+$/, '')
  }
  if (place.position === 'host') {
    if (!HOST.test(text))
      throw new UnsafeValue(placeholderName(place), 'must be a host name or a part of one')
    return text
  }
  if (place.position === 'query') return percentEncode(text)
  if (DOTS_IN_VALUE.test(text))
    throw new UnsafeValue(placeholderName(place), 'must not contain a `.` or `..` segment')
  return place.keepSlashes ? text.split('/').map(percentEncode).join('/') : percentEncode(text)
}

function serializePlaceholder(place: Placeholder, lookup: Lookup, style: PathStyle): string {
  const name = placeholderName(place)
  const text = serializePathParameter(name, lookup(name), style)
  if (text === undefined) throw new MissingValue(name)
  if (DOTS_IN_VALUE.test(text)) throw new UnsafeValue(name, 'must not contain a `.` or `..` segment')
  return text
}
