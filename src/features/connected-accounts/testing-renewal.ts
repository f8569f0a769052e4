import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Answer, Recorded } from '../../../test/fixtures/upstream.ts'
import { keyRingFrom, sealer } from '../../platform/crypto/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { valContext } from './open.ts'
import { CLIENT, type Manifest, oauth, requestsTo, stage } from './testing.ts'

interface Provider {
  good: string
  token(request: Recorded): Answer | Promise<Answer>
  /** Requests to `/more/…`. */ more(request: Recorded): Answer | Promise<Answer>
}

/** An account whose token `access-1` ends in an hour, at a provider that takes only `provider.good`. */
export async function renewable(
  t: TestContext,
  manifest: Manifest | ((url: string) => Manifest) = {},
  val: Record<string, unknown> = {},
) {
  const seal = sealer(keyRingFrom(`test:${randomBytes(32).toString('base64')}`))
  const provider: Provider = {
    good: 'access-1',
    token: () => {
      provider.good = 'access-2'
      return { json: { access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 3600 } }
    },
    more: () => ({ status: 404 }),
  }
  const s = await stage(t, {
    auth: (url) => [oauth(url, typeof manifest === 'function' ? manifest(url) : manifest)],
    app: { sealer: seal },
    answer: (request) =>
      request.path === '/token'
        ? provider.token(request)
        : request.path.startsWith('/more/')
          ? provider.more(request)
          : request.headers['authorization'] === `Bearer ${provider.good}`
            ? { json: { id: '7' } }
            : { status: 401, json: { message: 'no' } },
  })
  const id = await s.account(await s.config('OAUTH2', CLIENT), 'OAUTH2', {
    status: 'ACTIVE',
    access_token: 'access-1',
    refresh_token: 'refresh-1',
    expires_in: 3600,
    ...val,
  })
  const opened = async () =>
    seal.open<Record<string, unknown>>((await s.row(id))['val'] as Buffer, valContext(id))
  /** As another process would. */
  const storeBehind = (next: Record<string, unknown>) =>
    s.app.db.run(sql`
    update connected_accounts set val = ${seal.seal(next, valContext(id))}, val_version = val_version + 1, token_expires_at = now() + interval '1 hour', refresh_lease = null, refresh_lease_until = null where id = ${id}`)
  return {
    ...s,
    seal,
    provider,
    id,
    opened,
    storeBehind,
    tokens: () => requestsTo(s, '/token'),
    calls: () => requestsTo(s, '/orders/7'),
  }
}
export const HOUR = 3_600_000
