import { secretsHider } from '../../auth-schemes/index.ts'
import type { Connection, ConnectionContext } from '../types.ts'

export type Hide = (text: string) => string

/** An account that was opened once serves many calls. */
const hiders = new WeakMap<ConnectionContext, Hide>()

/** Takes the credentials of a connection out of texts: some applications repeat what they were sent. */
export function hiderOf(connection: Connection): Hide {
  if (connection.kind === 'none') return (text) => text
  if (connection.kind === 'params') {
    const { parameters = [], body = {} } = connection.params
    return secretsHider(NO_SOURCES, [
      ...parameters.map(({ value }) => String(value)),
      ...Object.values(body).filter((value) => typeof value === 'string'),
    ])
  }
  let hide = hiders.get(connection.setup)
  if (!hide) hiders.set(connection.setup, (hide = secretsHider(connection.setup)))
  return hide
}

const NO_SOURCES = { val: {}, shared: {}, credentials: {} }
