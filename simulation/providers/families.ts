import { randomBytes } from 'node:crypto'
import { ProviderError } from './http.ts'

/** What came of one consent: every token that descends from it. */
export interface Family {
  id: string
  dead: boolean
  tokenRequests: number
  refreshes: number
  reuses: number
  scope: string
  about: Record<string, string>
}
export interface AccessToken {
  token: string
  family: Family
  expiresAt: number
  audience: string
}
interface RefreshToken {
  token: string
  family: Family
  bornAt: number
  usedAt: number
  rotatedAt?: number
}

export interface Lifetimes {
  tokenSeconds: number
  /** How long a refresh token that was rotated still works. */
  reuseGraceSeconds: number
  /** A refresh token that nobody used for so long is dead. */
  idleSeconds?: number | undefined
  /** How long a refresh token lives whatever happens; only a rotation answers a younger one. */
  ageSeconds?: number | undefined
}

/** The tokens of one provider; rotation with reuse detection ends a whole family (RFC 9700 §4.14.2). */
export class Families {
  readonly all = new Map<string, Family>()
  readonly reuses: { family: string; at: string }[] = []
  /** How many access tokens were made. */
  issuedCount = 0
  readonly #access = new Map<string, AccessToken>()
  readonly #refresh = new Map<string, RefreshToken>()
  readonly #lifetimes: Lifetimes
  readonly #now: () => number

  constructor(lifetimes: Lifetimes, now: () => number) {
    this.#lifetimes = lifetimes
    this.#now = now
  }

  found(scope = '', about: Record<string, string> = {}): Family {
    const family: Family = {
      id: `family-${this.all.size + 1}`,
      dead: false,
      tokenRequests: 0,
      refreshes: 0,
      reuses: 0,
      scope,
      about,
    }
    this.all.set(family.id, family)
    return family
  }

  access(family: Family, audience = '', prefix = 'at'): AccessToken {
    const made = {
      token: secret(prefix),
      family,
      expiresAt: this.#now() + this.#lifetimes.tokenSeconds * 1_000,
      audience,
    }
    this.#access.set(made.token, made)
    this.issuedCount++
    return made
  }

  refresh(family: Family): string {
    const token = secret('rt')
    this.#refresh.set(token, { token, family, bornAt: this.#now(), usedAt: this.#now() })
    return token
  }

  /** The access token that lives. @throws ProviderError 401 */
  live(token: string | undefined): AccessToken {
    const known = token ? this.#access.get(token) : undefined
    if (!known || known.family.dead)
      throw new ProviderError('invalid_token', 'The access token is not known.', 401)
    if (known.expiresAt <= this.#now())
      throw new ProviderError('expired_token', 'The access token has ended.', 401)
    return known
  }

  /** The access token whether or not it has ended: some providers renew it with itself. */
  issued(token: string | undefined): AccessToken {
    const known = token ? this.#access.get(token) : undefined
    if (!known || known.family.dead)
      throw new ProviderError('invalid_grant', 'The access token is not known.')
    return known
  }

  /**
   * Trades a refresh token. With `rotates` it is used up: using it again revokes the family. @throws
   * ProviderError invalid_grant
   */
  trade(token: string | undefined, rotates: boolean): Family {
    const known = token ? this.#refresh.get(token) : undefined
    if (!known) throw new ProviderError('invalid_grant', 'The refresh token is not known.')
    const { family } = known
    if (family.dead) throw new ProviderError('invalid_grant', 'The grant was revoked.')
    const { idleSeconds = Infinity, ageSeconds = Infinity } = this.#lifetimes
    if (Math.min(known.usedAt + idleSeconds * 1_000, known.bornAt + ageSeconds * 1_000) <= this.#now())
      throw new ProviderError('invalid_grant', 'The refresh token has ended.')
    if (
      known.rotatedAt !== undefined &&
      this.#now() >= known.rotatedAt + this.#lifetimes.reuseGraceSeconds * 1_000
    ) {
      family.dead = true
      family.reuses++
      this.reuses.push({ family: family.id, at: new Date(this.#now()).toISOString() })
      throw new ProviderError('invalid_grant', 'The refresh token was used before: the grant is revoked.')
    }
    known.usedAt = this.#now()
    if (rotates) known.rotatedAt ??= this.#now()
    family.refreshes++
    return family
  }

  /** Ends a token and what descends from the same consent (RFC 7009 §2.1); says whether there was one. */
  revoke(token: string | undefined): boolean {
    const known = token ? (this.#refresh.get(token) ?? this.#access.get(token)) : undefined
    if (known) known.family.dead = true
    return known !== undefined
  }

  /** When the access tokens of the family of a refresh token end. */
  endsOf(refreshToken: string | undefined): number[] {
    const family = this.#refresh.get(refreshToken ?? '')?.family
    return [...this.#access.values()].filter((one) => one.family === family).map(({ expiresAt }) => expiresAt)
  }

  expireAll(): void {
    for (const one of this.#access.values()) one.expiresAt = 0
  }
}

/** An unguessable value that says in logs what it is. */
export const secret = (prefix: string) => `${prefix}-${randomBytes(18).toString('base64url')}`
