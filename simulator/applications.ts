import { fileURLToPath } from 'node:url'
import { loadCatalog } from '../src/catalog/index.ts'
import { type World, worldOf } from '../src/simulated/index.ts'
import { bodyOf } from './demands.ts'
import { type Answer, type Incoming, Refusal } from './http.ts'

const TOOLKITS = fileURLToPath(new URL('../toolkits', import.meta.url))
/** What an application can be told to answer for a while. */
export const TROUBLES = ['reauth', 'rate_limit', 'permission', 'not_found', 'invalid', 'transient'] as const

/** The applications of all toolkits that ship. */
export async function applications(): Promise<World> {
  return worldOf(await loadCatalog({ folder: TOOLKITS }), TOOLKITS)
}

/** `/_at/https/api.example.com/things` is `https://api.example.com/things`; undefined for every other path. */
export function addressOf(rawUrl: string): string | undefined {
  const match = /^\/_at\/(https?)\/([^/?#]+)(.*)$/.exec(rawUrl)
  return match ? `${match[1]}://${match[2]}${match[3] || '/'}` : undefined
}

/** Answers for the application of an address. */
export function answerAt(world: World, url: string, { method, headers, bytes }: Incoming): Answer {
  const reply = world.answer({ method, url, headers, body: bytes })
  if (!reply) return { status: 502, json: { error: 'not_simulated', error_description: `No simulated application is at ${new URL(url).origin}; GET /_applications lists them.` } }
  return { status: reply.status, headers: { ...reply.headers }, ...reply.text === undefined ? reply.json === undefined ? {} : { json: reply.json } : { text: reply.text } }
}

/** `GET /_applications`: all of them. `POST /_applications` with `reset=true`; `POST /_applications/{slug}` with `reset=true`, or `fail` (a name of TROUBLES) and `times`. */
export function applicationControls(world: World, request: Incoming): Answer {
  const slug = request.path.split('/')[2]
  const application = slug ? world.applications.get(slug) : undefined
  if (slug && !application) throw new Refusal('not_found', `There is no application ${slug}.`, 404)
  if (request.method === 'GET') return { json: application ? { slug, requests: application.plans.map(({ route, op, type }) => ({ name: route.slug, method: route.request.method, path: route.request.path, does: op, to: type })) } : { applications: [...world.applications.keys()], troubles: TROUBLES } }
  const { reset, fail, times = '1' } = bodyOf(request)
  const meaning = TROUBLES.find((one) => one === fail)
  if (fail !== undefined && (!meaning || !application)) throw new Refusal('invalid_request', `fail is one of ${TROUBLES.join(', ')}, of one application.`)
  if (reset === 'true') (application ?? world).reset()
  if (meaning) application?.fail({ meaning, left: Number(times) || 1 })
  return { json: { ok: true } }
}
