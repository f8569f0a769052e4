import { randomBytes } from 'node:crypto'
import { type PeerControl, startPeerProcess } from './peer-process.ts'

export interface NodeRedOptions {
  /** Life of a token from `POST /auth/token`, in seconds; Node-RED's default is a week. */
  tokenTtlSeconds?: number
}

export interface NodeRedStats {
  /** Requests for a token, refused ones too. */
  tokenRequests: number
}

export interface NodeRedPeer extends PeerControl {
  /** Base of the admin API and of the deployed `http in` nodes alike, e.g. `http://127.0.0.1:4711`. */
  url: string
  username: string
  password: string
  stats(): Promise<NodeRedStats>
}

/** Starts a Node-RED without an editor. Throws with its last output when it is not ready within 60 s. */
export async function startNodeRed(options: NodeRedOptions = {}): Promise<NodeRedPeer> {
  const account = { username: 'admin', password: randomBytes(12).toString('hex') }
  const { facts, call, control } = await startPeerProcess<{ url: string }>({
    name: 'node-red',
    entry: new URL('./node-red.child.ts', import.meta.url),
    config: { ...account, tokenTtlSeconds: options.tokenTtlSeconds ?? 604_800 },
    async probe({ url }, signal) {
      const response = await fetch(`${url}/auth/login`, { signal })
      const { type } = (await response.json()) as { type?: string }
      if (type !== 'credentials') throw new Error(`/auth/login answered ${response.status}, type ${type}`)
    },
  })
  return { ...facts, ...account, stats: () => call('stats'), ...control }
}
