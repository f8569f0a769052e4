import { type ClientAuthManifest, compileTemplate, render } from '../catalog/index.ts'
import { lookupOf, type Setup } from './scheme.ts'

/** What a client adds to a request to prove itself. */
export interface ClientProof { params: Record<string, string>, headers: Record<string, string> }

/** RFC 6749 §2.3. @throws MissingValue for a template that nothing fills */
export function clientAuthentication(setup: Setup, how: ClientAuthManifest = 'post'): ClientProof {
  const id = clientValue(setup, 'client_id')
  const secret = clientValue(setup, 'client_secret')
  if (how === 'none') return { params: { client_id: id }, headers: {} }
  if (how === 'post') return { params: { client_id: id, client_secret: secret }, headers: {} }
  // Basic carries both parts form-encoded (RFC 6749 §2.3.1).
  const [username, password] = how === 'basic'
    ? [formEncode(id), formEncode(secret)]
    : [how.basic.username, how.basic.password].map((text) => text === '' ? '' : render(compileTemplate(text), lookupOf(setup)))
  return { params: {}, headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` } }
}

/** Client id or secret: of the auth config, else of the connection, where a scheme asks the user or registers a client of its own. */
export function clientValue({ credentials, shared, val }: Setup, name: 'client_id' | 'client_secret'): string {
  const found = [credentials, shared, val].map((values) => values[name]).find((value) => typeof value === 'string' && value !== '')
  return String(found ?? '')
}

const formEncode = (text: string) => new URLSearchParams({ x: text }).toString().slice(2)
