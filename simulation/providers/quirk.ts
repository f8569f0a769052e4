import type { Behaviour } from './behaviour.ts'

type Parts = Record<string, unknown>

/** A change to a manifest under which the quirk must no longer be met: the member at `path` taken away, or replaced. */
export interface Ignored {
  path: string
  value?: unknown
  /** A value that depends on where the provider stands. */ valueAt?: (url: string) => unknown
}

/** What a developer and a user type in. */
export interface ConnectionInput {
  credentials?: Parts
  shared?: Parts
  val?: Parts
}

/** One peculiarity of providers: the manifest that handles it, and a server that rejects everything else. */
export interface Quirk {
  /** As in the list of known peculiarities; `0`: a whole scheme. */
  number: number
  /** Part of the address, unique. */
  name: string
  title: string
  /** Entry of `auth` in a toolkit's manifest. */
  auth: (url: string) => Parts
  /** Members of the toolkit itself, e.g. `request` or `errors`. */
  toolkit?: (url: string) => Parts
  /** Fields of the manifest that make the difference; each alone. Paths begin with `auth.` or `toolkit.`. */
  ignoring: readonly (string | Ignored)[]
  server: Behaviour
  connectionInput?: (url: string) => ConnectionInput
  /** The first attempt is to fail loudly, the second to work. */
  failsFirst?: boolean
  /** Whether what was granted is renewed; default: where the server renews. */
  renews?: boolean
  /** Access is ended at the end of the test; nothing may work then. */
  revokes?: boolean
  /** How often it is renewed in the test. Default once. */
  refreshes?: number
  /** Nobody uses the account for so many seconds; then it is to work still. */
  restsSeconds?: number
  /**
   * Quirks whose field works the other way round: with it the start of the authorization flow is rejected with
   * a message that matches.
   */
  refusedAtStart?: RegExp
}

/** An OAUTH2 entry for a strict provider, with what a quirk changes. Objects are merged one level deep. */
export function oauth2(url: string, change: Parts = {}): Parts {
  const standard: Record<string, Parts> = {
    authorize: { url: `${url}/authorize` },
    token: { url: `${url}/token` },
    refresh: { rotates: 'sometimes' },
    scopes: { default: ['read', 'write'] },
  }
  const merged = Object.fromEntries(
    Object.entries(standard)
      .map(([name, parts]) => [
        name,
        change[name] === null ? undefined : { ...parts, ...(change[name] as Parts | undefined) },
      ])
      .filter(([, parts]) => parts !== undefined),
  )
  return {
    scheme: 'OAUTH2',
    ...Object.fromEntries(Object.entries(change).filter(([, parts]) => parts !== null)),
    ...merged,
  }
}

/** A field that a person fills. */
export const field = (name: string, more: Parts = {}): Parts => ({
  name,
  display_name: name,
  description: `The ${name} of the account.`,
  ...more,
})
export const asked = (...fields: Parts[]): Parts => ({ fields: { connected_account_initiation: fields } })
export const configured = (...fields: Parts[]): Parts => ({ fields: { auth_config_creation: fields } })
