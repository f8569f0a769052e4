import { createCache } from '../../../platform/cache.ts'
import type { EngineAccount } from '../../../engine/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { ApiError } from '../../../platform/http/api-error.ts'

/**
 * After a failure, no token request is sent for this time while the current token still works. Otherwise
 * every call would wait for the token endpoint.
 */
const VALID_TOKEN_COOLDOWN_MS = 10_000
/** With an expired token all calls fail; a token endpoint that is down needs no request for each of them. */
const EXPIRED_TOKEN_COOLDOWN_MS = 1_000
const ACCOUNTS_MAX = 10_000

/** Remembers accounts whose token endpoint failed, by the version of their credentials. */
export class RefreshCooldown {
  readonly #clock: Clock
  readonly #entries = createCache<string, { until: number; error?: ApiError }>({ max: ACCOUNTS_MAX })

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Whether the refresh must wait and the current token can be used. @throws the last error while it must
   * wait and the token is expired
   */
  mustWait(account: EngineAccount): boolean {
    const entry = this.#entries.get(cooldownKey(account.id, account.version))
    if (!entry || entry.until <= this.#clock.now()) return false
    if (this.isTokenValid(account)) return true
    if (entry.error) throw entry.error
    return false
  }

  isTokenValid({ tokenExpiresAt }: EngineAccount): boolean {
    return tokenExpiresAt !== null && tokenExpiresAt > this.#clock.now()
  }

  /**
   * Starts the cooldown of an account whose token still works. It is at most half of the provider's grace
   * period.
   */
  startWithValidToken(id: string, versions: readonly number[], reuseGraceMs: number): void {
    const ms =
      reuseGraceMs > 0 ? Math.min(VALID_TOKEN_COOLDOWN_MS, reuseGraceMs / 2) : VALID_TOKEN_COOLDOWN_MS
    for (const version of versions) this.#set(id, version, { until: this.#clock.now() + ms })
  }

  startWithExpiredToken(id: string, versions: readonly number[], error: ApiError): void {
    const until = this.#clock.now() + EXPIRED_TOKEN_COOLDOWN_MS
    for (const version of versions) this.#set(id, version, { until, error })
  }

  #set(id: string, version: number, entry: { until: number; error?: ApiError }): void {
    this.#entries.set(cooldownKey(id, version), entry)
  }
}

const cooldownKey = (id: string, version: number) => `${id}:${version}`
