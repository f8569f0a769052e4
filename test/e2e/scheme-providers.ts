import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { fingerprint } from '../../simulation/providers/known-keys.ts'
import type { Quirk } from '../../simulation/providers/quirk.ts'
import type { Simulator } from '../../simulation/providers/start.ts'
import { startOidcProvider } from '../fixtures/real-applications/oidc-provider.ts'
import { signInAndConsent } from '../fixtures/real-applications/browser.ts'
import { clientOf, visit } from './issuer.ts'

type Values = Record<string, unknown>

/** A provider that one row of the table is played against. */
export interface Peer {
  /** What the developer writes into the auth config. */
  credentials: Record<string, string>
  /** The user's part at the provider: from its page to the address that the browser is sent back to. */
  consent(authorizeUrl: string, user: string): Promise<string>
  /** Fails unless the tool was run with these credentials: those that the user gave, or those of the newest grant. */
  recognizes(data: Values, user: string, credential: string | undefined): void
  /** Tokens made until now. */
  issued(): Promise<number>
  /** Takes back every grant and every key that was used. */
  endAll(): Promise<void>
  /** Lets the keys in again. */
  restoreAll(): Promise<void>
  /** Accesses that were ended by us. */
  revocations(): Promise<number>
  /** Whether the newest grant, or the key that was given, opens nothing any more. */
  isOver(credential: string | undefined): Promise<boolean>
}

/** A provider of the simulator. */
export function simulated(simulator: Simulator, { name, connectionInput }: Quirk): Peer {
  const provider = simulator.provider(name)
  const credentials = connectionInput?.(provider.url).credentials as Record<string, string> | undefined
  return {
    credentials: credentials ?? {},
    async consent(authorizeUrl) {
      const { status, location } = await visit(authorizeUrl)
      assert.equal(status, 302)
      return location
    },
    recognizes(data, _user, credential) {
      assert.equal(data['login'], 'ada')
      if (credential !== undefined) assert.equal(data['credential'], fingerprint(credential))
      else assert.equal(data['grant'], [...provider.families.all.keys()].at(-1))
    },
    issued: async () => provider.families.issuedCount,
    endAll: async () => provider.endAll(),
    restoreAll: async () => provider.keys.restoreAll(),
    revocations: async () => provider.revocations,
    isOver: async (credential) =>
      [...provider.families.all.values()].at(-1)?.dead ?? !provider.keys.takes(credential!),
  }
}

/** The package oidc-provider, in a process of its own. */
export async function oidcProvider(t: TestContext, redirectUri: string): Promise<Peer> {
  const provider = await startOidcProvider({ redirectUris: [redirectUri] })
  t.after(() => provider.stop())
  return {
    credentials: clientOf(provider),
    consent: async (authorizeUrl, user) =>
      (await signInAndConsent(authorizeUrl, { login: user })).callbackUrl,
    recognizes: (data, user) => assert.equal(data['sub'], user),
    issued: async () => {
      const { tokenRequests, refused } = await provider.stats()
      return tokenRequests - refused
    },
    endAll: () => provider.revokeEverything(),
    restoreAll: () => Promise.reject(new Error('A grant that was forgotten does not come back.')),
    revocations: async () => (await provider.stats()).revocations,
    // Both tokens of a grant: of a token that is gone it keeps nothing to be asked about.
    isOver: async () => (await provider.stats()).revocations === 2,
  }
}
