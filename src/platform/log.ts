import { pino } from 'pino'

export type { Logger } from 'pino'

/** Keys whose values never reach a log line, wherever they stand in the first two levels. */
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

/** Structured log on standard output. `level` is a pino level or `silent`. */
export const createLog = (level: string) =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`]), censor: '[redacted]' },
  })
