import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { AllowRule } from './allow-rules.ts'

export interface AddressGuard {
  /** Whether a connection to this IP address is allowed for a URL with this host and port. */
  permits(address: string, host: string, port: number): boolean
  /** Whether the host is itself a denied address: an IP address, or `localhost`, which needs no resolver. */
  deniesLiteral(host: string, port: number): boolean
  /**
   * Returns a resolver for `net.connect` that returns allowed addresses only, so that no other is ever
   * connected to.
   */
  lookupFor(host: string, port: number): LookupFunction
}

/**
 * Allows public addresses, and those that the rules allow. `host` is the hostname of a URL, with or without
 * brackets.
 */
export function createAddressGuard(
  rules: AllowRule[],
  lookup: LookupFunction = systemLookup as LookupFunction,
): AddressGuard {
  const permits = (address: string, host: string, port: number): boolean => {
    const parsed = parseAddress(address)
    return (
      parsed !== undefined && (isPublic(parsed) || rules.some((rule) => ruleAllows(rule, parsed, host, port)))
    )
  }
  return {
    permits,
    deniesLiteral(host, port) {
      const address = literalOf(host)
      return address !== undefined && !permits(address, host, port)
    },
    lookupFor: (host, port) => (name, options, callback) => {
      lookup(name, { ...options, all: true }, (error, answer, family) => {
        if (error) return callback(error, '', 0)
        const found = Array.isArray(answer) ? answer : [{ address: answer, family: family ?? isIP(answer) }]
        const open = found.filter(({ address }) => permits(address, host, port))
        if (open.length === 0) return callback(deniedAddressError(), '', 0)
        if (options.all) return callback(null, open)
        callback(null, open[0]!.address, open[0]!.family)
      })
    },
  }
}

/**
 * The error code of a denied address. The address is not part of the error: it could be what the caller is
 * looking for.
 */
export const deniedAddressCode = 'ERR_ADDRESS_REFUSED'

export function deniedAddressError(): NodeJS.ErrnoException {
  return Object.assign(new Error('denied address'), { code: deniedAddressCode })
}

function literalOf(host: string): string | undefined {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host
  if (isIP(bare) !== 0) return bare
  return /(^|\.)localhost\.?$/i.test(bare) ? '127.0.0.1' : undefined // RFC 6761, section 6.3.
}

// Only this IPv6 range is assigned to the public. Special ranges within it are excluded by name.
const globalUnicast = ipaddr.parseCIDR('2000::/3')
/** Looks public, but is the host of virtual machines on Azure, which returns their secrets. */
const azureHostAddresses = new Set(['168.63.129.16'])
const nat64 = ipaddr.parseCIDR('64:ff9b::/96')

/**
 * Parses an address. An IPv4 address within an IPv6 one counts as IPv4: mapped (RFC 4291), or behind NAT64
 * (RFC 6052).
 */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIP(text) === 0) return undefined
  const address = ipaddr.process(text.replace(/%.*$/, '')) // Without the zone: `fe80::1%eth0`.
  if (address.kind() === 'ipv6' && address.match(nat64))
    return new ipaddr.IPv4(address.toByteArray().slice(12))
  return address
}

/**
 * Whether an address belongs to the public internet. ipaddr.js returns `unicast` for addresses in none of the
 * special ranges: private, loopback, link-local (with 169.254.169.254, where clouds serve credentials),
 * carrier-grade NAT, multicast, documentation, benchmarking, reserved, unique-local, 6to4, Teredo and others.
 */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast' || azureHostAddresses.has(address.toString())) return false
  return address.kind() === 'ipv4' || address.match(globalUnicast)
}

function ruleAllows(
  rule: AllowRule,
  address: ipaddr.IPv4 | ipaddr.IPv6,
  host: string,
  port: number,
): boolean {
  if (rule.port !== undefined && rule.port !== port) return false
  if (rule.kind === 'host') return rule.host === host.replace(/\.$/, '')
  const range = ipaddr.parse(rule.address)
  return range.kind() === address.kind() && address.match(range, rule.bits)
}
