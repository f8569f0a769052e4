import { pino } from 'pino'

export type { Logger } from 'pino'

/** Values of these keys never appear in a log line, in the first two levels. */
const SECRET_KEYS = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-org-api-key',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'client_secret',
  'api_key',
  'key',
]

/**
 * Creates the structured log on standard output. `level` is a pino level or `silent`. `fieldsOf` returns fields for
 * every line, such as the ids of the current trace.
 */
export const createLog = (level: string, fieldsOf?: () => object | undefined) =>
  pino({
    ...(fieldsOf && { mixin: () => fieldsOf() ?? {} }),
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`]), censor: '[redacted]' },
  })
