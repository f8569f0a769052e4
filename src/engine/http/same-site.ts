import type { Catalog, Toolkit } from '../../catalog/index.ts'

/**
 * Returns whether credentials of an account may be sent to a URL. Scheme and port must be those of the base URL of
 * the account, and the host must be the same, have the same registrable domain, or be called by tools of the
 * toolkit. Domains that issue names to everyone (`github.io`, `herokuapp.com`) count as registries, so two names
 * below one of them are different sites.
 */
export async function isSameSite(
  base: URL,
  target: URL,
  toolkitHosts: () => ReadonlySet<string>,
): Promise<boolean> {
  if (target.protocol !== base.protocol || portOf(target) !== portOf(base)) return false
  if (target.hostname === base.hostname || toolkitHosts().has(target.hostname)) return true
  // Loaded at first use: a table of 200 kB that most processes never need.
  const { getDomain } = await import('tldts')
  const options = { allowPrivateDomains: true, extractHostname: false }
  const domain = getDomain(withoutFinalDot(base.hostname), options)
  return domain !== null && domain === getDomain(withoutFinalDot(target.hostname), options)
}

const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80')
/** A name with a final dot is the same name. */
const withoutFinalDot = (hostname: string) => hostname.replace(/\.$/, '')

const hostsByToolkit = new WeakMap<Toolkit, ReadonlySet<string>>()

/** Returns the hosts of complete URLs in the paths of the toolkit's tools. */
export function hostsOf(catalog: Catalog, toolkit: Toolkit): ReadonlySet<string> {
  let hosts = hostsByToolkit.get(toolkit)
  if (!hosts) {
    const manifests = [...catalog.manifests(toolkit.slug, toolkit.version)]
    hosts = new Set(
      manifests.flatMap(
        ({ request }) => /^https:\/\/([a-z0-9.-]+)(?=\/)/.exec(request?.path ?? '')?.[1] ?? [],
      ),
    )
    hostsByToolkit.set(toolkit, hosts)
  }
  return hosts
}
