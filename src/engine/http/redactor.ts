import { secretsRedactor } from '../../auth-schemes/index.ts'
import type { ConnectionContext, ToolConnection } from '../types.ts'

export type Redact = (text: string) => string

/** The context of an account is decrypted once and serves many calls. */
const redactors = new WeakMap<ConnectionContext, Redact>()
const NO_SECRETS = { credentials: {}, sharedCredentials: {}, authConfigCredentials: {} }

/** Returns a function that removes the credentials of a connection from text: some applications repeat them. */
export function redactorFor(connection: ToolConnection): Redact {
  if (connection.kind === 'none') return (text) => text
  if (connection.kind === 'params') {
    const { parameters = [], body = {} } = connection.params
    return secretsRedactor(NO_SECRETS, [
      ...parameters.map(({ value }) => String(value)),
      ...Object.values(body).filter((value) => typeof value === 'string'),
    ])
  }
  let redact = redactors.get(connection.context)
  if (!redact) redactors.set(connection.context, (redact = secretsRedactor(connection.context)))
  return redact
}
