import { EgressError } from './errors.ts'

/** The URL to call. @throws EgressError `refused_url`; its message never repeats the URL, which may hold secrets. */
export function parseRequestUrl(url: string | URL, label?: string): URL {
  const target = typeof url === 'string' ? URL.parse(url) : url
  if (!target) throw refused(label, 'the URL is not valid')
  if (target.protocol !== 'https:' && target.protocol !== 'http:')
    throw refused(label, 'only http and https URLs can be called')
  if (target.username !== '' || target.password !== '')
    throw refused(label ?? target.host, 'a URL with credentials in it is not called')
  return target
}

function refused(label: string | undefined, reason: string): EgressError {
  return new EgressError('refused_url', `${label ?? 'the request'}: ${reason}.`)
}

/** The port a URL means; `URL.port` is empty for the scheme's own. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
