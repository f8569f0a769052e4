/** Hosts that are this machine: what is sent to them does not leave it. */
const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost'])

export const isLoopbackHttp = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && LOOPBACK_HOSTS.has(hostname)

/**
 * Whether a text is the URL of an issuer: https without credentials, query and fragment (OpenID Connect Discovery §3),
 * because its metadata and keys decide who signs in. http is allowed on this machine, where the egress guard decides.
 */
export function isIssuerUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    !url.username &&
    !url.password &&
    !/[?#]/.test(text) &&
    (url.protocol === 'https:' || isLoopbackHttp(url))
  )
}

const NAME_CHARACTERS_MAX = 80

/** Returns the name of a provider for people, if they gave none: the host of its issuer. */
export const defaultProviderName = (issuer: string): string =>
  (URL.parse(issuer)?.host || issuer).slice(0, NAME_CHARACTERS_MAX)
