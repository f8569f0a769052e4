import { createHash, timingSafeEqual } from 'node:crypto'
import { type Answer, type Incoming, ProviderError } from './http.ts'
import type { Params } from './demands.ts'

export type Pkce = 'S256' | 'plain' | 'rejected' | 'unknown'

/** RFC 7636 §4.3, as this provider understands it. */
export function challenge(params: Params, pkce: Pkce): void {
  const { code_challenge: challenge, code_challenge_method: method } = params
  if (pkce === 'rejected' && (challenge ?? method) !== undefined)
    throw new ProviderError('invalid_request', 'code_challenge is not known here.')
  if ((pkce === 'S256' || pkce === 'plain') && !challenge)
    throw new ProviderError('invalid_request', 'code_challenge is missing.')
  if ((pkce === 'S256' || pkce === 'plain') && method !== pkce)
    throw new ProviderError('invalid_request', `code_challenge_method must be ${pkce}.`)
}

/** RFC 7636 §4.6. */
export function verify(verifier: string | undefined, { code_challenge: expected }: Params, pkce: Pkce): void {
  if (pkce === 'rejected' && verifier !== undefined)
    throw new ProviderError('invalid_request', 'code_verifier is not known here.')
  if (pkce !== 'S256' && pkce !== 'plain') return
  const actual =
    pkce === 'plain'
      ? (verifier ?? '')
      : createHash('sha256')
          .update(verifier ?? '')
          .digest('base64url')
  if (!verifier || actual !== expected)
    throw new ProviderError('invalid_grant', 'code_verifier does not fit the challenge.')
}

export function redirect(back: string, params: Params, headers: Record<string, string> = {}): Answer {
  const url = new URL(back)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return { status: 302, headers: { location: url.href, ...headers } }
}

export const bearerOf = (request: Incoming): string | undefined =>
  /^Bearer (\S+)$/.exec(request.headers['authorization'] ?? '')?.[1]

export function basicOf(request: Incoming): { username: string; password: string } | undefined {
  const encoded = /^Basic (\S+)$/.exec(request.headers['authorization'] ?? '')?.[1]
  if (!encoded) return undefined
  const [username = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return { username, password: rest.join(':') }
}

export const formDecode = (text: string) => new URLSearchParams(`x=${text}`).get('x') ?? ''
/** In constant time, as a provider should. */
export const same = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
