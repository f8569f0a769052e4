import type {
  JsonSchema,
  RequestManifest,
  Toolkit,
  ToolManifest,
  TriggerManifest,
} from '../../src/catalog/index.ts'
import type { Notes, RouteNote } from './notes.ts'
import type { Route } from './plan.ts'
import { identityRoute } from './sign-in.ts'
import { routesOfTriggers } from './trigger-routes.ts'
import { ANYTHING, WHOLE } from './trigger-shapes.ts'

const LIST: JsonSchema = { type: 'object', properties: { [WHOLE]: { type: 'array', items: ANYTHING } } }

/**
 * The requests that an application understands: those of its tools and triggers, those that only the notes
 * have, and the one that tells whose account it is.
 */
export function routesOf(
  manifests: readonly ToolManifest[],
  triggers: readonly TriggerManifest[],
  notes: Notes,
  toolkit: Toolkit,
): Route[] {
  const own = manifests.filter(({ request }) => request !== undefined).map((tool) => ofTool(tool, notes))
  return [
    ...own,
    ...routesOfTriggers(triggers, notes, own, toolkit.slug),
    ...(notes.routes ?? []).map((note) => ofNote(note, own)),
    ...identityRoute(toolkit, manifests),
  ]
}

function ofTool(tool: ToolManifest, notes: Notes): Route {
  return {
    slug: tool.slug,
    request: tool.request!,
    effect: tool.effect,
    input: tool.input as JsonSchema,
    output: tool.output as JsonSchema,
    pick: tool.response?.pick,
    wrap: tool.response?.wrap,
    noAuth: tool.no_auth ?? false,
    tool,
    note: notes.tools?.[tool.slug] ?? {},
  }
}

function ofNote(note: RouteNote, own: readonly Route[]): Route {
  const { method, path, query, body, body_type: bodyType, effect = 'read', isList } = note
  const like = own.find(({ slug }) => slug === note.like)
  const request = {
    method,
    path,
    ...(query && { query: [...query] }),
    ...(body !== undefined && { body }),
    ...(bodyType && { body_type: bodyType }),
  } as RequestManifest
  return {
    slug: `${method} ${path}`,
    request,
    effect,
    input: { type: 'object', properties: Object.fromEntries(namesIn(note).map((name) => [name, {}])) },
    output: isList ? LIST : (like?.output ?? ANYTHING),
    pick: like?.pick,
    wrap: isList ? WHOLE : like?.wrap,
    noAuth: note.no_auth ?? false,
    tool: undefined,
    note: isList ? { ...note, place: WHOLE } : note,
  }
}

/** The arguments of a request that no tool declares. */
function namesIn({ path, query = [], body }: RouteNote): string[] {
  const places = [
    ...path.matchAll(/\{\+?(\w+)/g),
    ...JSON.stringify(body ?? null).matchAll(/"\$":"(\w+)"/g),
  ].map(([, name = '']) => name)
  return [...new Set([...places, ...query, ...(Array.isArray(body) ? (body as string[]) : [])])]
}
