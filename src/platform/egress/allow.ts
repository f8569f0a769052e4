/** One entry of EGRESS_ALLOW. Without `port`, every port is open. */
export type AllowRule =
  | { kind: 'range', address: string, bits: number, port?: number }
  | { kind: 'host', host: string, port?: number }

/**
 * Reads a comma list of addresses, CIDR ranges and host names, each with an optional `:port`; IPv6 goes in brackets when
 * a port follows. @throws Error with a message that names the bad entry.
 */
export function parseAllowRules(text: string): AllowRule[] {
  throw new Error(`not built: ${text}`)
}
