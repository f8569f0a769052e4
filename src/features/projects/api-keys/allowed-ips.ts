import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
interface Range {
  first: Address
  bits: number
}

const MAPPED_BITS = 96

/** Whether a caller's address is one of the addresses and CIDR ranges. IPv4 written as IPv6 (`::ffff:10.0.0.1`, as dual-stack sockets report it) is IPv4 on both sides. */
export function isAllowed(ip: string, allowed: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false // a peer that is gone has no address
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

/** Whether a text is an address or a CIDR range. */
export const isAddressOrRange = (text: string): boolean => read(text) !== undefined

function read(text: string): Range | undefined {
  const [address = '', bits, more] = text.split('/')
  // Short, octal and hexadecimal spellings mean different addresses to different programs; a zone means nothing at another host.
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
