import { randomBytes, randomUUID } from 'node:crypto'
import type { TriggerArguments } from '../../../catalog/index.ts'
import type { Sealer } from '../../../platform/crypto/index.ts'
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
export const sealState = (sealer: Sealer, address: string, state: RegistrationState): Buffer =>
  sealer.seal(state, contextOf(address))
export const openState = (
  sealer: Sealer,
  { address, state }: Pick<RegistrationRow, 'address' | 'state'>,
): RegistrationState => sealer.open<RegistrationState>(state, contextOf(address))
