import { startNodeRed } from './node-red.ts'
import { startOidcProvider } from './oidc-provider.ts'
import { startParseServer } from './parse-server.ts'

/** Starts one peer by hand, prints what it says about itself, and stops it on Ctrl-C. See README.md. */
async function main([name, ...rest]: string[]): Promise<void> {
  const peer = await start(name, rest)
  console.log(JSON.stringify(peer, null, 2))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => peer.stop())
}

function start(name: string | undefined, rest: string[]): Promise<{ stop(): Promise<void> }> {
  switch (name) {
    case 'parse-server':
      return startParseServer({ databaseUrl: required(rest[0], 'parse-server <database URL>') })
    case 'node-red':
      return startNodeRed()
    case 'oidc-provider':
      required(rest[0], 'oidc-provider <redirect URI>...')
      return startOidcProvider({ redirectUris: rest })
    default:
      throw new Error('Which peer? parse-server, node-red or oidc-provider.')
  }
}

function required(argument: string | undefined, usage: string): string {
  if (argument === undefined) throw new Error(`Usage: start.ts ${usage}`)
  return argument
}

await main(process.argv.slice(2))
