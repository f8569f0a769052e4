import { type Controls, controls, failureOf } from './control.ts'
import type { Family, Lifetimes } from './families.ts'
import { type Answer, type Incoming, type Listening, listen, ProviderError } from './http.ts'
import type { World } from '../applications/index.ts'
import { addressOf, answerAt, applicationControls } from './applications.ts'
import { Provider, type ProviderContext } from './provider.ts'
import type { Quirk } from './quirk.ts'
import { QUIRKS } from './quirks/index.ts'

export { CLIENT } from './provider.ts'

export interface SimulatorOptions {
  /** Default: one that is free. */
  port?: number
  /** How long an access token lives. Default 3600. */
  tokenSeconds?: number
  /** How long a refresh token still works once it was rotated. Default 0. */
  reuseGraceSeconds?: number
  /** How long a token request takes. Default 0. */
  tokenDelayMs?: number
  /** What is registered at providers that are not told where to send the browser. */
  redirectUri?: string
  /** Default: all of them. */
  quirks?: readonly Quirk[]
  /** The applications behind `/_at`; default: none. */
  world?: World
}

export interface Stats {
  /** Token requests by grant. */
  tokenRequests: Record<string, number>
  rejections: number
  /** How many access tokens were made. */
  issued: number
  /** How often a client ended its own access. */
  revocations: number
  /** How often a refresh token was shown again after its rotation. */
  reuses: number
  deadFamilies: number
  families: Pick<Family, 'id' | 'dead' | 'tokenRequests' | 'refreshes' | 'reuses'>[]
}

export interface Simulator extends Listening {
  /** Counters of one provider; default the rotating one. */
  stats(name?: string): Stats
  provider(name: string): Provider
  /** The time at the providers. */
  now(): number
  /** Moves that time: tokens end without anybody waiting. */
  advance(ms: number): void
}

const CONSOLE = 'http://localhost:8080/api/v3/toolkits/auth/callback'

/** Starts the simulator on this machine. Each provider stands below its name; the rotating one is `/rotating`. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const lifetimes: Lifetimes = {
    tokenSeconds: options.tokenSeconds ?? 3600,
    reuseGraceSeconds: options.reuseGraceSeconds ?? 0,
  }
  const providers = new Map<string, Provider>()
  const state: Controls = {
    offsetMs: 0,
    redirectUri: options.redirectUri ?? CONSOLE,
    tokenDelayMs: options.tokenDelayMs ?? 0,
    failures: new Map(),
  }
  const context: ProviderContext = {
    now: () => Date.now() + state.offsetMs,
    redirectUri: () => state.redirectUri,
  }
  const provider = (name: string) => {
    const found = providers.get(name)
    if (!found) throw new ProviderError('not_found', `There is no provider ${name}.`, 404)
    return found
  }
  const stats = (name = 'rotating') => statsOf(provider(name))
  const { world } = options
  const listening = await listen((request) => {
    const url = world && addressOf(request.rawUrl)
    if (world && url !== undefined) return answerAt(world, url, request)
    if (world && request.path.startsWith('/_applications'))
      return withErrorReply(() => applicationControls(world, request))
    return request.path.startsWith('/_control')
      ? controls(request, state, provider, stats)
      : answer(request, provider, state)
  }, options.port)
  const add = (name: string, server: Provider['behaviour']) =>
    providers.set(name, new Provider(`${listening.url}/${name}`, server, lifetimes, context))
  add('rotating', { refresh: { rotates: true } })
  for (const { name, server } of options.quirks ?? QUIRKS) add(name, server)
  return {
    ...listening,
    provider,
    stats,
    now: context.now,
    advance: (ms) => {
      state.offsetMs += ms
    },
  }
}

async function withErrorReply(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { status: error.status, json: { error: error.code, error_description: error.message } }
  }
}

async function answer(
  request: Incoming,
  provider: (name: string) => Provider,
  state: Controls,
): Promise<Answer> {
  // RFC 8414 §3.1, RFC 9728 §3.1: the name of the document stands before the path of the provider.
  const documented = /^\/(\.well-known\/[^/]+)\/([^/]+)$/.exec(request.path)
  const [name = '', ...rest] = documented ? [documented[2], documented[1]] : request.path.slice(1).split('/')
  let found: Provider | undefined
  try {
    found = provider(name)
    const path = `/${rest.join('/')}`
    const isToken =
      path !== (found.behaviour.authorize?.path ?? '/authorize') &&
      path !== (found.behaviour.me?.path ?? '/api/me')
    const failure = isToken ? failureOf(state, name) : undefined
    if (failure) return failure
    const reply = await found.handle({ ...request, path })
    return state.tokenDelayMs && isToken ? { afterMs: state.tokenDelayMs, ...reply } : reply
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (found) found.rejections++
    return { status: error.status, json: { error: error.code, error_description: error.message } }
  }
}

function statsOf({ families, tokenRequests, rejections, revocations }: Provider): Stats {
  const all = [...families.all.values()]
  return {
    tokenRequests: { ...tokenRequests },
    rejections,
    issued: families.issuedCount,
    revocations,
    reuses: families.reuses.length,
    deadFamilies: all.filter(({ dead }) => dead).length,
    families: all.map(({ id, dead, tokenRequests: requests, refreshes, reuses }) => ({
      id,
      dead,
      tokenRequests: requests,
      refreshes,
      reuses,
    })),
  }
}
