import { randomBytes, randomUUID } from 'node:crypto'
import type { TriggerArguments } from '../../../catalog/index.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { RegistrationRow } from './store.ts'

/** What is known of a registration: our secret, what was asked for, and what the application answered or brought. */
export interface RegistrationState {
  secret: string
  id: string
  config: TriggerArguments
  saved: Readonly<Record<string, unknown>>
}

const SECRET_BYTES = 32
const contextOf = (address: string) => `trigger_registrations:${address}:state`

export const newState = (config: TriggerArguments): RegistrationState => ({
  config,
  secret: randomBytes(SECRET_BYTES).toString('base64url'),
  id: randomUUID(),
  saved: {},
})
export const sealState = (encryptor: Encryptor, address: string, state: RegistrationState): Buffer =>
  encryptor.encrypt(state, contextOf(address))
export const openState = (
  encryptor: Encryptor,
  { url_token: address, state }: Pick<RegistrationRow, 'url_token' | 'state'>,
): RegistrationState => encryptor.decrypt<RegistrationState>(state, contextOf(address))
