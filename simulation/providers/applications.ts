import { fileURLToPath } from 'node:url'
import { loadCatalog } from '../../src/catalog/index.ts'
import { type World, worldOf } from '../applications/index.ts'
import { bodyOf } from './demands.ts'
import { type Answer, type Incoming, ProviderError } from './http.ts'
import { due, post, unverified } from './webhooks.ts'

const TOOLKITS = fileURLToPath(new URL('../../toolkits', import.meta.url))
/** What an application can be told to answer for a while. */
export const TROUBLES = ['reauth', 'rate_limit', 'permission', 'not_found', 'invalid', 'transient'] as const

/**
 * The applications of all toolkits that ship. `isTimed`: what is made there is made now, and not on the first
 * day of every simulation.
 */
export async function applications(isTimed = false): Promise<World> {
  return worldOf(await loadCatalog({ folder: TOOLKITS, operations: false }), TOOLKITS, {
    signingClock: Date.now,
    ...(isTimed && { clock: Date.now }),
  })
}

/** `/_at/https/api.example.com/things` is `https://api.example.com/things`; undefined for every other path. */
export function addressOf(rawUrl: string): string | undefined {
  const match = /^\/_at\/(https?)\/([^/?#]+)(.*)$/.exec(rawUrl)
  return match ? `${match[1]}://${match[2]}${match[3] || '/'}` : undefined
}

/**
 * Responds for the application at a URL. A URL that is being registered is verified before the response;
 * pending webhooks are sent after it.
 */
export async function answerAt(
  world: World,
  url: string,
  { method, headers, bytes }: Incoming,
): Promise<Answer> {
  const reply = world.answer({ method, url, headers, body: bytes })
  const rejected = await unverified(world)
  if (rejected !== undefined)
    return {
      status: 400,
      json: {
        error: 'address_not_verified',
        error_description: `${rejected} did not answer when it was tried.`,
      },
    }
  void post(due(world))
  if (!reply)
    return {
      status: 502,
      json: {
        error: 'not_simulated',
        error_description: `No simulated application is at ${new URL(url).origin}; GET /_applications lists them.`,
      },
    }
  return {
    status: reply.status,
    headers: { ...reply.headers },
    ...(reply.text === undefined
      ? reply.json === undefined
        ? {}
        : { json: reply.json }
      : { text: reply.text }),
  }
}

/**
 * `GET /_applications`: all of them. `POST /_applications` with `reset=true`; `POST /_applications/{slug}`
 * with `reset=true`, with `fail` (a name of TROUBLES) and `times`, or with
 * `happen` (a trigger type), `config`, `fields` and `values` (JSON) and `to` (the address of an app).
 */
export async function applicationControls(world: World, request: Incoming): Promise<Answer> {
  const slug = request.path.split('/')[2]
  const application = slug ? world.applications.get(slug) : undefined
  if (slug && !application) throw new ProviderError('not_found', `There is no application ${slug}.`, 404)
  if (request.method === 'GET')
    return {
      json: application
        ? {
            slug,
            requests: application.plans.map(({ route, op, type }) => ({
              name: route.slug,
              method: route.request.method,
              path: route.request.path,
              does: op,
              to: type,
            })),
          }
        : { applications: [...world.applications.keys()], troubles: TROUBLES },
    }
  const { reset, fail, times = '1', happen, to, ...more } = bodyOf(request)
  const meaning = TROUBLES.find((one) => one === fail)
  if (fail !== undefined && (!meaning || !application))
    throw new ProviderError('invalid_request', `fail is one of ${TROUBLES.join(', ')}, of one application.`)
  if (reset === 'true') (application ?? world).reset()
  if (meaning) application?.fail({ meaning, left: Number(times) || 1 })
  if (happen === undefined) return { json: { ok: true } }
  if (!application)
    throw new ProviderError(
      'invalid_request',
      'happen is a trigger type of one application: POST /_applications/{slug}.',
    )
  const [config, fields, values] = [jsonOf('config', more), jsonOf('fields', more), jsonOf('values', more)]
  if (application.happen(happen, config, fields) !== undefined) return { json: { ok: true } }
  if (application.webhooks.happen(happen, { config, fields, values, to }) === undefined)
    throw new ProviderError('invalid_request', `${happen.slice(0, 64)} is no trigger type of ${slug}.`)
  return { json: { ok: true, sent: await post(due(world)) } }
}

function jsonOf(
  name: string,
  { [name]: text = '{}' }: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Told below.
  }
  throw new ProviderError('invalid_request', `${name} is a JSON object.`)
}
