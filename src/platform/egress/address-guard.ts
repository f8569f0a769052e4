import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { AllowRule } from './allow-rules.ts'

export interface AddressGuard {
  /** Whether a connection to this address may be made for a URL with this host name and port. */
  permits(address: string, host: string, port: number): boolean
  /** Whether the host names a closed address by itself: an IP literal, or `localhost`, which needs no resolver. */
  deniesLiteral(host: string, port: number): boolean
  /** A resolver for `net.connect` that answers with open addresses only, so that no other is ever connected to. */
  lookupFor(host: string, port: number): LookupFunction
}

/** Lets through public addresses and what the rules open. `host` is a URL's hostname; brackets may be left on. */
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

/** The code by which `translate` knows a refusal. The address is not in it: it may be what the caller is after. */
export const deniedAddressCode = 'ERR_ADDRESS_REFUSED'

export function deniedAddressError(): NodeJS.ErrnoException {
  return Object.assign(new Error('refused address'), { code: deniedAddressCode })
}

function literalOf(host: string): string | undefined {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host
  if (isIP(bare) !== 0) return bare
  return /(^|\.)localhost\.?$/i.test(bare) ? '127.0.0.1' : undefined // RFC 6761, section 6.3.
}

// In IPv6 only this is given out to the public; the special ranges in it are taken away by name.
const globalUnicast = ipaddr.parseCIDR('2000::/3')
/** Looks public, and is answered by the host below a virtual machine of Azure, which hands out its secrets there. */
const azureHostAddresses = new Set(['168.63.129.16'])
const nat64 = ipaddr.parseCIDR('64:ff9b::/96')

/** An IPv4 address inside an IPv6 one is judged as what it is: mapped (RFC 4291) or behind NAT64 (RFC 6052). */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIP(text) === 0) return undefined
  const address = ipaddr.process(text.replace(/%.*$/, '')) // Without the zone, `fe80::1%eth0`.
  if (address.kind() === 'ipv6' && address.match(nat64))
    return new ipaddr.IPv4(address.toByteArray().slice(12))
  return address
}

/**
 * Whether an address belongs to the public internet. ipaddr.js calls `unicast` what is in none of the special ranges:
 * private, loopback, link-local (with 169.254.169.254, where clouds keep credentials), carrier-grade NAT, multicast,
 * documentation, benchmarking, reserved, unique-local, 6to4, Teredo and others.
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
