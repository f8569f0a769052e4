export interface PostgresConnection {
  host: string
  port: number
  user: string
  password: string
  database: string
}

/**
 * Takes a PostgreSQL URL apart, decoding every part. The host may be a socket directory, written into the host
 * (`postgres://me:pw@%2Frun%2Fpg/db`) or the query (`postgres://me:pw@localhost/db?host=/run/pg`).
 *
 * Parse Server's own parser decodes nothing: a socket directory stays `%2Frun%2Fpg`, which it then asks the DNS for,
 * and a password with a percent sign in the URL is the wrong password.
 */
export function parsePostgresUrl(text: string): PostgresConnection {
  const url = new URL(text)
  return {
    host: url.searchParams.get('host') ?? (decodeURIComponent(url.hostname) || 'localhost'),
    port: Number(url.searchParams.get('port') ?? (url.port || 5432)),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
  }
}
