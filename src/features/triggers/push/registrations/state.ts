import { randomBytes, randomUUID } from 'node:crypto'
import type { TriggerArguments } from '../../../../catalog/index.ts'
import type { Encryptor, ProjectEncryptor } from '../../../../platform/crypto/index.ts'
import type { RegistrationRow } from './store.ts'

/** The encrypted part of a registration. */
export interface RegistrationState {
  /** Our secret, with which the application signs deliveries. */
  secret: string
  id: string
  config: TriggerArguments
  /** Values that the application returned, or sent to the URL. */
  saved: Readonly<Record<string, unknown>>
}

const SECRET_BYTES = 32
const encryptionContext = (urlToken: string) => `trigger_registrations:${urlToken}:state`

export const newState = (config: TriggerArguments): RegistrationState => ({
  config,
  secret: randomBytes(SECRET_BYTES).toString('base64url'),
  id: randomUUID(),
  saved: {},
})

export const encryptState = (
  encryptor: ProjectEncryptor,
  urlToken: string,
  state: RegistrationState,
): Buffer => encryptor.encrypt(state, encryptionContext(urlToken))

export const decryptState = (
  encryptor: Encryptor,
  { url_token, state }: Pick<RegistrationRow, 'url_token' | 'state'>,
): RegistrationState => encryptor.decrypt<RegistrationState>(state, encryptionContext(url_token))
