import { ToolFailure } from '../../catalog/index.ts'

/** The application accepts no calls for a while, or too many calls of the account wait for their turn. */
export class RateLimited extends ToolFailure {
  readonly retryAfterMs: number
  readonly limiter: 'application' | 'account'

  constructor(
    message: string,
    limiter: 'application' | 'account',
    retryAfterMs: number,
    statusCode?: number,
  ) {
    super(message, statusCode === undefined ? {} : { statusCode })
    this.limiter = limiter
    this.retryAfterMs = retryAfterMs
  }
}
