import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** A TCP way to a database that a test can damage. */
export interface Wire {
  /** The database through the wire. */
  url: string
  /** Every connection breaks, and no new one comes about. */
  cut(): void
  /** Nothing passes any more, in either direction, and nobody is told; new connections are taken and stay silent too. */
  freeze(): void
  /** What froze is lost without a word; new connections work. As after a change of address or a firewall that forgot. */
  lose(): void
  /** Works again, and what was frozen goes on. */
  mend(): void
}

/** Leads to the unix socket that a database URL names. */
export async function wireTo(t: TestContext, databaseUrl: string): Promise<Wire> {
  const target = new URL(databaseUrl)
  const path = `${target.searchParams.get('host')}/.s.PGSQL.5432`
  let state: 'whole' | 'cut' | 'frozen' = 'whole'
  const pairs = new Set<[Socket, Socket]>()
  const lost = new Set<Socket>()
  const frozen = new Set<[Socket, Socket]>()
  const server = createServer((near) => {
    if (state === 'cut') return near.destroy()
    const far = connect({ path })
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    near.pipe(far)
    far.pipe(near)
    if (state === 'frozen') freezeOne(pair, frozen)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        if (lost.has(near)) return
        near.destroy()
        far.destroy()
        pairs.delete(pair)
        frozen.delete(pair)
      })
    }
  })
  const everySocket = () => [...[...pairs].flat(), ...lost]
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of everySocket()) socket.destroy()
  })
  const url = new URL(databaseUrl)
  url.search = ''
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    cut() {
      state = 'cut'
      for (const socket of everySocket()) socket.destroy()
    },
    freeze() {
      state = 'frozen'
      for (const pair of pairs) freezeOne(pair, frozen)
    },
    lose() {
      for (const [near, far] of pairs) {
        lost.add(near)
        near.unpipe(far).pause()
        far.destroy()
      }
      pairs.clear()
      frozen.clear()
    },
    mend() {
      state = 'whole'
      // What flows already would flow twice.
      for (const [near, far] of frozen) {
        near.pipe(far)
        far.pipe(near)
      }
      frozen.clear()
    },
  }
}

function freezeOne(pair: [Socket, Socket], frozen: Set<[Socket, Socket]>): void {
  const [near, far] = pair
  frozen.add(pair)
  near.unpipe(far).pause()
  far.unpipe(near).pause()
}
