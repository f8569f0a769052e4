import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { callConsole, callProfile } from '../api/client.ts'
import { ApiFailure } from '../api/failure.ts'

/** Whether this browser has passkeys. They need https, or localhost. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function' && isSecureContext

/** Signs in with a passkey of this server that the person chooses. @throws ApiFailure */
export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await callConsole<PublicKeyCredentialRequestOptionsJSON>(
    'POST',
    '/auth/passkey/options',
  )
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const credential = await startAuthentication({ optionsJSON }).catch(toFailure)
  await callConsole('POST', '/auth/passkey', { credential })
}

/** Creates a passkey for the signed-in member. @throws ApiFailure */
export async function createPasskey(name: string): Promise<void> {
  const optionsJSON = await callProfile<PublicKeyCredentialCreationOptionsJSON>(
    'POST',
    '/auth/passkeys/options',
  )
  const { startRegistration } = await import('@simplewebauthn/browser')
  const credential = await startRegistration({ optionsJSON }).catch(toFailure)
  await callProfile('POST', '/auth/passkeys', { name, credential })
}

const MESSAGES: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used: the dialog of the browser was closed, or took too long.',
  InvalidStateError: 'This device has a passkey of your account already.',
  SecurityError: 'Passkeys work at the URL of this server only (PUBLIC_URL), with https or on localhost.',
}

/** Says in one sentence what the browser reports. */
function toFailure(error: unknown): never {
  const { name, message } = error as Error
  throw new ApiFailure(MESSAGES[name] ?? message, { fix: 'Try again, or sign in another way.' })
}
