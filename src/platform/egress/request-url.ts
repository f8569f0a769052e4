import { EgressError } from './errors.ts'

/**
 * Parses the URL of a request.
 * @throws EgressError `refused_url`; its message never contains the URL, which may have secrets
 */
export function parseRequestUrl(url: string | URL, label?: string): URL {
  const target = typeof url === 'string' ? URL.parse(url) : url
  if (!target) throw rejected(label, 'the URL is not valid')
  if (target.protocol !== 'https:' && target.protocol !== 'http:')
    throw rejected(label, 'only http and https URLs can be called')
  if (target.username !== '' || target.password !== '')
    throw rejected(label ?? target.host, 'URLs with credentials are not allowed')
  return target
}

function rejected(label: string | undefined, reason: string): EgressError {
  return new EgressError('refused_url', `${label ?? 'the request'}: ${reason}.`)
}

/** Returns the port of a URL; `URL.port` is empty for the default port of the scheme. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
