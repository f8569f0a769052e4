import type { Catalog, Toolkit } from '../catalog/index.ts'

/**
 * Whether credentials of an account may go to an address: the same scheme and port as the base address of the account, and the same registrable domain, a host that the
 * toolkit's own tools call, or the same host. Domains under which everybody can have a name (`github.io`, `herokuapp.com`) count as registries, so that two names below one are strangers.
 */
export async function isSameSite(
  base: URL,
  target: URL,
  ownHosts: () => ReadonlySet<string>,
): Promise<boolean> {
  if (target.protocol !== base.protocol || portOf(target) !== portOf(base)) return false
  if (target.hostname === base.hostname || ownHosts().has(target.hostname)) return true
  // A table of 200 kB that most processes never need.
  const { getDomain } = await import('tldts')
  const options = { allowPrivateDomains: true, extractHostname: false }
  const domain = getDomain(bare(base.hostname), options)
  return domain !== null && domain === getDomain(bare(target.hostname), options)
}

const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80')
/** A name that ends in a dot is the same name. */
const bare = (hostname: string) => hostname.replace(/\.$/, '')

const known = new WeakMap<Toolkit, ReadonlySet<string>>()

/** Hosts that the paths of its tools spell out, where those are whole addresses. */
export function hostsOf(catalog: Catalog, toolkit: Toolkit): ReadonlySet<string> {
  let hosts = known.get(toolkit)
  if (!hosts) {
    hosts = new Set(
      [...catalog.manifests(toolkit.slug, toolkit.version)].flatMap(
        ({ request }) => /^https:\/\/([a-z0-9.-]+)(?=\/)/.exec(request?.path ?? '')?.[1] ?? [],
      ),
    )
    known.set(toolkit, hosts)
  }
  return hosts
}
