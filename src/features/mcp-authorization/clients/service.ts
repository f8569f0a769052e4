import { timingSafeEqual } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { randomText } from '../../../platform/ids.ts'
import { clientDocuments, isDocumentAddress } from './metadata-document.ts'
import { readClientMetadata } from './client-metadata.ts'
import { findClient, insertClient } from './store.ts'
import type { McpAuthDeps } from '../deps.ts'
import { OAuthFailure } from '../oauth-error.ts'
import { hashOf, isSecret, newSecret } from '../secrets.ts'

export interface Client {
  id: string
  /** As it calls itself. */ name: string | null
  redirectUris: readonly string[]
  /** Proven to be of this host, which published it. */ host: string | null
}
export type Clients = ReturnType<typeof clients>

const REGISTERED = /^mcc_[A-Za-z0-9]{24}$/
const ID_CHARACTERS = 24
const UNKNOWN = 'There is no such client. Register again.'

/** The programs that may ask for access: those that registered themselves, and those that are known by a document. */
export function clients({ db, egress }: Pick<McpAuthDeps, 'db' | 'egress'>) {
  const documents = clientDocuments(egress)

  return {
    /** Answers client information (RFC 7591 §3.2.1). @throws OAuthFailure */
    async register(given: unknown, ip: string): Promise<Record<string, unknown>> {
      const { name, redirectUris, authMethod } = readClientMetadata(given, 'client_secret_basic')
      const id = `mcc_${randomText(ID_CHARACTERS)}`
      const secret = authMethod === 'none' ? undefined : newSecret('client')
      const row = await insertClient(
        db,
        {
          id,
          name,
          redirect_uris: redirectUris,
          auth_method: authMethod,
          secret_hash: secret === undefined ? null : hashOf(secret),
        },
        hashOf(networkOf(ip)),
      )
      if (!row)
        throw new OAuthFailure(
          'slow_down',
          'Too many clients were registered within the hour. Use the client that you have, or try again later.',
        )
      return {
        client_id: id,
        client_id_issued_at: Math.floor(row.created_at.getTime() / 1_000),
        ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
        ...(name === null ? {} : { client_name: name }),
        redirect_uris: redirectUris,
        token_endpoint_auth_method: authMethod,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      }
    },

    /** @throws OAuthFailure */
    async find(id: string): Promise<Client> {
      if (isDocumentAddress(id)) {
        const { name, redirectUris } = await documents.read(id)
        return { id, name, redirectUris, host: new URL(id).host }
      }
      const row = REGISTERED.test(id) ? await findClient(db, id) : undefined
      if (!row) throw new OAuthFailure('invalid_client', UNKNOWN)
      return { id, name: row.name, redirectUris: row.redirect_uris, host: null }
    },

    /** The client that calls, proven as it registered (RFC 6749 §2.3.1); one that is known by a document has no secret. @throws OAuthFailure */
    async prove(authorization: string | undefined, form: Readonly<Record<string, string>>): Promise<string> {
      const { id, secret } = credentialsOf(authorization, form)
      if (isDocumentAddress(id)) return id
      const row = REGISTERED.test(id) ? await findClient(db, id) : undefined
      if (!row) throw new OAuthFailure('invalid_client', UNKNOWN)
      if (
        row.secret_hash &&
        !(isSecret('client', secret) && timingSafeEqual(hashOf(secret), row.secret_hash))
      )
        throw new OAuthFailure('invalid_client', 'The secret of the client is wrong.')
      return id
    },
  }
}

function credentialsOf(
  authorization: string | undefined,
  form: Readonly<Record<string, string>>,
): { id: string; secret: string | undefined } {
  const basic = /^basic ([A-Za-z0-9+/]{1,2000}={0,2})$/i.exec(authorization ?? '')?.[1]
  if (basic === undefined) return { id: form['client_id'] ?? '', secret: form['client_secret'] }
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString('latin1').split(':', 2)
  return { id: decoded(id), secret: decoded(secret) }
}

/** Each half of Basic credentials is form-encoded. */
const decoded = (text: string): string =>
  new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? ''

/** A home or an office has one IPv4 address, and 2^64 of IPv6. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(ip)?.[1]
  if (mapped !== undefined || !isIPv6(ip)) return mapped ?? ip
  const groups = new URL(`http://[${ip.split('%')[0]}]`).hostname.slice(1, -1)
  const [head = '', tail = ''] = groups.split('::')
  const [before, after] = [head, tail].map((part) => (part ? part.split(':') : [])) as [string[], string[]]
  const whole = groups.includes('::')
    ? [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
    : before
  return whole.slice(0, 4).join(':')
}
