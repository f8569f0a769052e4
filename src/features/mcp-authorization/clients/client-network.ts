import { isIPv6 } from 'node:net'

/**
 * Returns the network of an IP address, by which registrations and sign-ins are limited: the address itself for IPv4,
 * the /64 prefix for IPv6, because a household has one IPv4 address and 2^64 IPv6 addresses.
 */
export function clientNetwork(ip: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(ip)?.[1]
  if (mapped !== undefined || !isIPv6(ip)) return mapped ?? ip
  const groups = new URL(`http://[${ip.split('%')[0]}]`).hostname.slice(1, -1)
  const [head = '', tail = ''] = groups.split('::')
  const [before, after] = [head, tail].map((part) => (part ? part.split(':') : [])) as [string[], string[]]
  const all = groups.includes('::')
    ? [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
    : before
  return all.slice(0, 4).join(':')
}
