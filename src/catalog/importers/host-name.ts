const GENERAL = new Set([
  'api',
  'apis',
  'www',
  'graphql',
  'gql',
  'gateway',
  'rest',
  'app',
  'my',
  'services',
  'public',
  'admin',
  'developer',
  'developers',
  'mcp',
  'data',
  'prod',
  'production',
  'eu',
  'us',
])
/** Second levels under which companies register. */
const SECOND = new Set(['co', 'com', 'org', 'net', 'gov', 'ac', 'edu'])

/**
 * Derives a product name from a host: `api.linear.app` gives Linear. Undefined for IP addresses and for hosts
 * without a domain.
 */
export function nameOfHost(host: string): string | undefined {
  if (/^[\d.]+$/.test(host) || host.includes(':') || !host.includes('.')) return undefined
  const labels = host.toLowerCase().split('.').slice(0, -1)
  if (labels.length > 1 && SECOND.has(labels.at(-1)!)) labels.pop()
  const label = labels.findLast((one) => !GENERAL.has(one)) ?? labels.at(-1)!
  return (
    label
      .split('-')
      .filter(Boolean)
      .map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`)
      .join(' ') || undefined
  )
}
