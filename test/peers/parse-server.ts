import { randomBytes } from 'node:crypto'
import { type PeerControl, startPeerProcess } from './peer-process.ts'

export interface ParseServerOptions {
  /** PostgreSQL database that Parse Server may fill with its tables: over TCP or a Unix socket (see postgres-url.ts). */
  databaseUrl: string
}

export interface ParseServerPeer extends PeerControl {
  /** Base of the REST API, e.g. `http://127.0.0.1:4711/parse`; paths like `/classes/Note` follow. */
  url: string
  /** Its GraphQL endpoint; takes the same headers. */
  graphqlUrl: string
  applicationId: string
  restApiKey: string
  masterKey: string
}

/** Starts a Parse Server on the given database. Throws with its last output when it is not ready within 60 s. */
export async function startParseServer(options: ParseServerOptions): Promise<ParseServerPeer> {
  const keys = {
    applicationId: `app-${randomBytes(6).toString('hex')}`,
    restApiKey: randomBytes(16).toString('hex'),
    masterKey: randomBytes(16).toString('hex'),
  }
  const { facts, control } = await startPeerProcess<{ url: string; graphqlUrl: string }>({
    name: 'parse-server',
    entry: new URL('./parse-server.child.ts', import.meta.url),
    config: { databaseUrl: options.databaseUrl, ...keys },
    async probe({ url }, signal) {
      // A query, and not /health: it must have reached the database and know its keys.
      const response = await fetch(`${url}/classes/_Role?limit=0`, {
        headers: { 'x-parse-application-id': keys.applicationId, 'x-parse-rest-api-key': keys.restApiKey },
        signal,
      })
      if (response.status !== 200)
        throw new Error(`a query answered ${response.status}: ${await response.text()}`)
    },
  })
  return { ...facts, ...keys, ...control }
}
