import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
interface Range {
  first: Address
  bits: number
}

const MAPPED_BITS = 96

/**
 * Whether an IP address is in a list of IP addresses and CIDR ranges. IPv4 addresses in IPv6 notation
 * (`::ffff:10.0.0.1`, as dual-stack sockets report them) count as IPv4 on both sides.
 */
export function isIpAllowed(ip: string, allowed: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false // A closed connection has no IP address.
  const address = ipaddr.process(ip)
  return allowed.some((entry) => {
    const range = read(entry)
    return (
      range !== undefined &&
      range.first.kind() === address.kind() &&
      address.match([range.first, range.bits] as never)
    )
  })
}

/** Whether a text is an IP address or a CIDR range. */
export const isIpOrRange = (text: string): boolean => read(text) !== undefined

function read(text: string): Range | undefined {
  const [address = '', bits, more] = text.split('/')
  // Programs interpret short, octal and hexadecimal notations differently; a zone is valid on one host only.
  if (
    more !== undefined ||
    address.includes('%') ||
    !(ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address))
  )
    return undefined
  const first = ipaddr.parse(address)
  const most = first.kind() === 'ipv4' ? 32 : 128
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)) return undefined
  const length = bits === undefined ? most : Number(bits)
  return isMapped(first) && length >= MAPPED_BITS
    ? { first: first.toIPv4Address(), bits: length - MAPPED_BITS }
    : { first, bits: length }
}

const isMapped = (address: Address): address is ipaddr.IPv6 =>
  address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress()
