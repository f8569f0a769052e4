import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * One entry of EGRESS_ALLOW. Without `port`, every port is allowed. IPv4-mapped ranges are stored as IPv4.
 */
export type AllowRule =
  | { kind: 'range'; address: string; bits: number; port?: number }
  | { kind: 'host'; host: string; port?: number }

// [v6], [v6/bits] and the same with :port; or anything without a bracket and at most one colon; or a bare v6.
const bracketed = /^\[([^[\]]+)\](?::(\d{1,5}))?$/
const withPort = /^([^[\]:]+)(?::(\d{1,5}))?$/
const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})?(\.[a-z0-9_]([a-z0-9_-]{0,62})?)*$/

/**
 * Parses a comma-separated list of IP addresses, CIDR ranges and host names, each with an optional `:port`.
 * IPv6 with a port is in brackets.
 * @throws Error that names the invalid entry
 */
export function parseAllowRules(text: string): AllowRule[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseRule)
}

/** Returns the entry of EGRESS_ALLOW that allows the host and port of a URL, and nothing else. */
export const allowRuleOf = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`

function parseRule(entry: string): AllowRule {
  const [, place, digits] = bracketed.exec(entry) ?? withPort.exec(entry) ?? [undefined, entry]
  const isV6 = place!.includes(':')
  if (isV6 !== (entry.startsWith('[') || !withPort.test(entry))) throw bad(entry)
  const rule = rangeOf(place!) ?? hostOf(place!)
  if (!rule) throw bad(entry)
  if (digits === undefined) return rule
  const port = Number(digits)
  if (port < 1 || port > 65535) throw bad(entry)
  return { ...rule, port }
}

function bad(entry: string): Error {
  return new Error(
    `\`${entry}\` is not an IP address, a CIDR range or a host name, each with an optional :port (IPv6 ` +
      'in brackets when a port follows)',
  )
}

function rangeOf(place: string): AllowRule | undefined {
  const [address, bitsText, ...more] = place.split('/')
  const version = isIP(address!) // Strict: ipaddr.js alone would accept 127.1 and 0x7f000001 as well.
  if (version === 0 || more.length > 0) return undefined
  if (bitsText !== undefined && !/^\d{1,3}$/.test(bitsText)) return undefined
  const widest = version === 4 ? 32 : 128
  const bits = bitsText === undefined ? widest : Number(bitsText)
  if (bits > widest) return undefined
  const parsed = ipaddr.parse(address!)
  if (parsed.kind() === 'ipv6' && (parsed as ipaddr.IPv6).isIPv4MappedAddress() && bits >= 96) {
    return { kind: 'range', address: (parsed as ipaddr.IPv6).toIPv4Address().toString(), bits: bits - 96 }
  }
  return { kind: 'range', address: parsed.toString(), bits }
}

/**
 * Returns the name as in a URL (lower case, punycode). A text that a URL treats as an IP address is not a
 * name.
 */
function hostOf(place: string): AllowRule | undefined {
  const host = URL.parse(`http://${place}`)?.hostname.replace(/\.$/, '')
  if (
    host === undefined ||
    isIP(host) !== 0 ||
    !hostName.test(host) ||
    place.includes('/') ||
    place.includes('@')
  )
    return undefined
  return { kind: 'host', host }
}
