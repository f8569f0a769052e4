import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Clock } from '../../../platform/clock.ts'
import { violates } from '../../../platform/db/errors.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'
import { findMemberOfPasskey, recordSignIn, type MemberRow } from '../store.ts'
import * as store from './store.ts'

/** Loaded at the first use: most servers start without a passkey, and Node.js warns about algorithms that it loads. */
const loadLibrary = () => import('@simplewebauthn/server')

const NAME = 'Patchbay'
const PASSKEYS_MAX = 20

export type Passkeys = ReturnType<typeof createPasskeys>

const rejected = () => new ApiError('Member_PasskeyRejected', 'This passkey was not accepted.')
const toTransports = (names: readonly string[]) => names as AuthenticatorTransport[]

/** The server to which passkeys belong. */
interface Site {
  rpID: string
  expectedOrigin: string
}

interface PasskeyDeps {
  db: Db
  clock: Clock
  publicUrl: string
}

/**
 * Passkeys (WebAuthn Level 3) for the origin of PUBLIC_URL. The authenticator verifies the person by PIN or biometrics,
 * so a passkey is two factors. Callers store the challenge, and accept each one once.
 */
export function createPasskeys({ db, clock, publicUrl }: PasskeyDeps) {
  const { hostname: rpID, origin: expectedOrigin } = new URL(publicUrl)
  const site = { rpID, expectedOrigin }
  return {
    /** Returns what the browser needs to create a passkey. */
    registrationOptions: (member: MemberRow) => registrationOptions(db, site, member),
    /** Stores the passkey that the browser created. @throws ApiError 401 */
    register: (member: MemberRow, input: Registration) => register(db, site, member, input),
    /** Returns what the browser needs to sign in with any passkey of this server. */
    async signInOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
      const { generateAuthenticationOptions } = await loadLibrary()
      return generateAuthenticationOptions({ rpID, userVerification: 'required' })
    },
    /** Returns the member whose passkey signed the challenge. @throws ApiError 401 */
    signIn: (input: SignIn) => signIn(db, site, new Date(clock.now()), input),
    list: async (memberId: string) =>
      (await store.listPasskeys(db, memberId)).map((row) => ({
        id: row.id,
        name: row.name,
        is_synced: row.is_synced,
        created_at: row.created_at.toISOString(),
        last_used_at: row.last_used_at?.toISOString() ?? null,
      })),
    /** @throws ApiError 404 */
    async remove(memberId: string, id: string): Promise<void> {
      if ((await store.deletePasskey(db, memberId, id)) === 0)
        throw new ApiError('Member_PasskeyNotFound', `You have no passkey ${id.slice(0, 64)}.`)
    },
  }
}

async function registrationOptions(
  db: Db,
  { rpID }: Site,
  member: MemberRow,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const existing = await store.listPasskeys(db, member.id)
  if (existing.length >= PASSKEYS_MAX)
    throw badRequest(`You have ${PASSKEYS_MAX} passkeys already. Remove one first.`)
  const { generateRegistrationOptions } = await loadLibrary()
  return generateRegistrationOptions({
    rpName: NAME,
    rpID,
    userName: member.email,
    userDisplayName: member.name,
    userID: new TextEncoder().encode(member.id),
    attestationType: 'none',
    excludeCredentials: existing.map(({ id, transports }) => ({ id, transports: toTransports(transports) })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** What a response of an authenticator must fulfil, for a registration as for a sign-in. */
const expectationsOf = ({ rpID, expectedOrigin }: Site, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin,
  expectedRPID: rpID,
  requireUserVerification: true,
})

interface Registration {
  challenge: string
  name: string
  credential: RegistrationResponseJSON
}

async function register(
  db: Db,
  site: Site,
  member: MemberRow,
  { challenge, name, credential }: Registration,
): Promise<void> {
  const { verifyRegistrationResponse } = await loadLibrary()
  const { registrationInfo: info } = await verifyRegistrationResponse({
    response: credential,
    ...expectationsOf(site, challenge),
  }).catch(() => {
    throw rejected()
  })
  if (!info) throw rejected()
  const { id, publicKey, counter, transports = [] } = info.credential
  const row = { id, member_id: member.id, name, public_key: publicKey, sign_count: counter, transports }
  try {
    await store.insertPasskey(db, { ...row, is_synced: info.credentialBackedUp })
  } catch (error) {
    throw violates(error, 'member_passkeys_pkey') ? rejected() : error
  }
}

interface SignIn {
  challenge: string
  credential: AuthenticationResponseJSON
}

async function signIn(db: Db, site: Site, now: Date, { challenge, credential }: SignIn): Promise<MemberRow> {
  const passkey = await store.findPasskey(db, credential.id)
  if (!passkey) throw rejected()
  const { id, public_key: publicKey, sign_count: counter, transports } = passkey
  const { verifyAuthenticationResponse } = await loadLibrary()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: credential,
    ...expectationsOf(site, challenge),
    credential: {
      id,
      publicKey: new Uint8Array(publicKey),
      counter,
      transports: toTransports(transports),
    },
  }).catch(() => {
    throw rejected()
  })
  if (!verified || (await store.recordPasskeyUse(db, id, authenticationInfo.newCounter, now)) === 0)
    throw rejected()
  const member = await findMemberOfPasskey(db, id)
  if (!member) throw rejected()
  await recordSignIn(db, member.id, now)
  return member
}
