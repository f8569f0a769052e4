import type { Family, Lifetimes } from './families.ts'
import { type Answer, type Incoming, type Listening, listen, Refusal } from './http.ts'
import { Provider } from './oauth2.ts'

export { CLIENT } from './oauth2.ts'

export interface SimulatorOptions {
  /** Default: one that is free. */
  port?: number
  /** How long an access token lives. Default 3600. */
  tokenSeconds?: number
  /** How long a refresh token still works once it was rotated. Default 0. */
  reuseGraceSeconds?: number
  /** How long a token request takes. Default 0. */
  tokenDelayMs?: number
}

export interface Stats {
  /** Token requests by grant. */
  tokenRequests: Record<string, number>
  refusals: number
  /** How often a refresh token was shown again after its rotation. */
  reuses: number
  deadFamilies: number
  families: Pick<Family, 'id' | 'dead' | 'tokenRequests' | 'refreshes' | 'reuses'>[]
}

export interface Simulator extends Listening {
  /** Counters of one provider; default the rotating one. */
  stats(name?: string): Stats
  provider(name: string): Provider
}

/** Starts the simulator on this machine. The rotating provider stands at `/rotating`: authorize, token, api/me. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const lifetimes: Lifetimes = { tokenSeconds: options.tokenSeconds ?? 3600, reuseGraceSeconds: options.reuseGraceSeconds ?? 0 }
  const providers = new Map<string, Provider>()
  const provider = (name: string) => {
    const found = providers.get(name)
    if (!found) throw new Refusal('not_found', `There is no provider ${name}.`, 404)
    return found
  }
  const listening = await listen((request) => answer(request, provider, options.tokenDelayMs ?? 0), options.port)
  providers.set('rotating', new Provider(`${listening.url}/rotating`, { refresh: { rotates: true } }, lifetimes))
  return { ...listening, provider, stats: (name = 'rotating') => statsOf(provider(name)) }
}

async function answer(request: Incoming, provider: (name: string) => Provider, tokenDelayMs: number): Promise<Answer> {
  const [, name = '', ...rest] = request.path.split('/')
  let found: Provider | undefined
  try {
    found = provider(name)
    const reply = await found.handle({ ...request, path: `/${rest.join('/')}` })
    return tokenDelayMs && request.method === 'POST' ? { afterMs: tokenDelayMs, ...reply } : reply
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (found) found.refusals++
    return { status: error.status, json: { error: error.code, error_description: error.message } }
  }
}

function statsOf({ families, tokenRequests, refusals }: Provider): Stats {
  const all = [...families.all.values()]
  return {
    tokenRequests: { ...tokenRequests }, refusals, reuses: families.reuses.length, deadFamilies: all.filter(({ dead }) => dead).length,
    families: all.map(({ id, dead, tokenRequests: requests, refreshes, reuses }) => ({ id, dead, tokenRequests: requests, refreshes, reuses })),
  }
}
