import { propertiesOf } from './read-arguments.ts'
import type { JsonSchema, RequestManifest, TriggerManifest } from '../../src/catalog/index.ts'
import type { Notes, RouteNote, TriggerNote } from './notes.ts'
import { planOf, type Route } from './plan.ts'
import { written } from './error-replies.ts'
import {
  CHANGES,
  REGISTRATION,
  WHOLE,
  ANYTHING,
  pollShape,
  shapeOf,
  registrationShape,
} from './trigger-shapes.ts'

/** What a request of a trigger is for. */
export type TriggerRole = 'poll' | 'start' | 'detail' | 'register' | 'renew' | 'remove'
/** Of which trigger a request is, and what for. */
export interface TriggerPart {
  readonly role: TriggerRole
  readonly manifest: TriggerManifest
  readonly note: TriggerNote
}

/** What the requests of triggers are compared with: the notes, and the requests of the tools. */
interface RouteSources {
  readonly notes: Notes
  readonly own: readonly Route[]
  readonly toolkit: string
}

type RouteShape = (like: Route | undefined) => { output: JsonSchema; note: Partial<RouteNote> }

/**
 * The requests of triggers that no tool makes, or that have another response than a tool's: a poll returns the
 * newest first, or only what is new.
 */
export function routesOfTriggers(
  triggers: readonly TriggerManifest[],
  notes: Notes,
  own: readonly Route[],
  toolkit: string,
): Route[] {
  const sources = { notes, own, toolkit }
  return triggers.flatMap((manifest) => [
    ...pollRoutes(manifest, sources),
    ...registrationRoutes(manifest, sources),
  ])
}

function pollRoutes(manifest: TriggerManifest, sources: RouteSources): Route[] {
  const { poll } = manifest
  return [
    ...routeOf(manifest, 'poll', poll?.request, (like) => pollShape(manifest, like), sources),
    ...routeOf(
      manifest,
      'start',
      poll?.cursor?.start.request,
      () => ({
        output: ANYTHING,
        note: {
          op: 'answer',
          type: 'triggerstart',
          reply: written({}, poll!.cursor!.start.path, { $: CHANGES }),
        },
      }),
      sources,
    ),
    ...routeOf(
      manifest,
      'detail',
      poll?.detail?.request,
      () => ({ output: shapeOf(manifest, 'detail'), note: {} }),
      sources,
    ),
  ]
}

function registrationRoutes(manifest: TriggerManifest, sources: RouteSources): Route[] {
  const { registration } = manifest.webhook ?? {}
  const registered = registrationShape(registration)
  const id = Object.keys(registration?.save ?? {})[0] ?? 'id'
  const renewed = { output: registered.output, note: { ...registered.note, op: 'update' as const, id } }
  const removed = { output: ANYTHING, note: { op: 'delete' as const, type: REGISTRATION, id } }
  return [
    ...routeOf(manifest, 'register', registration?.request, () => registered, sources),
    ...routeOf(manifest, 'renew', registration?.renew, () => renewed, sources),
    ...routeOf(manifest, 'remove', registration?.remove, () => removed, sources),
  ]
}

function routeOf(
  manifest: TriggerManifest,
  role: TriggerRole,
  request: RequestManifest | undefined,
  shape: RouteShape,
  { notes, own, toolkit }: RouteSources,
): Route[] {
  if (!request) return []
  const note = notes.triggers?.[manifest.slug] ?? {}
  const filled = withConstants(request, manifest.webhook?.constants ?? {})
  const like = notes.nouns === 'slug' ? undefined : own.find((one) => isSameRequest(one.request, filled))
  if (role === 'detail' && like) return []
  const { output, note: ownNote } = shape(like ?? own.find((one) => one.slug === note.like))
  const type = like && { type: planOf(like, toolkit, notes).type }
  return [
    {
      slug: `${manifest.slug} ${role}`,
      request: filled,
      effect: EFFECTS[role],
      input: { type: 'object', properties: argumentsOf(manifest, filled) },
      output,
      pick: undefined,
      wrap: WHOLE,
      noAuth: false,
      tool: undefined,
      note: { ...type, ...ownNote, ...(role === 'poll' ? note : note[role]) } as Route['note'],
      trigger: { role, manifest, note },
    },
  ]
}

const isSameRequest = (one: RequestManifest, other: RequestManifest): boolean =>
  one.method === other.method && plainPath(one.path) === plainPath(other.path)

const EFFECTS: Readonly<Record<TriggerRole, Route['effect']>> = {
  poll: 'read',
  start: 'read',
  detail: 'read',
  register: 'create',
  renew: 'update',
  remove: 'delete',
}

/** `{owner||'x'}` and `{owner}` are the same place. */
const plainPath = (path: string): string => path.replace(/\{[^}]*\}/g, '{}')

/** Triggers that share a request are distinguished by the literal values of each. */
export function withConstants(
  request: RequestManifest,
  constants: Readonly<Record<string, string>>,
): RequestManifest {
  const text = Object.entries(constants).reduce(
    (all, [name, value]) =>
      all
        .replaceAll(`{${name}}`, JSON.stringify(value).slice(1, -1))
        .replaceAll(`{"$":"${name}"}`, JSON.stringify(value)),
    JSON.stringify(request),
  )
  return JSON.parse(text) as RequestManifest
}

/**
 * Names that a trigger gives its requests: those of its configuration, of the engine, of the item and of the
 * registration. Every other name in a request is the connection's.
 */
function argumentsOf(
  { config, poll, webhook }: TriggerManifest,
  request: RequestManifest,
): Record<string, JsonSchema> {
  const engine = [
    'cursor',
    'since',
    'page',
    'webhook_url',
    'webhook_secret',
    'webhook_id',
    'webhook_until',
    'webhook_until_ms',
  ]
  const own = [
    ...engine,
    ...Object.keys(poll?.detail?.arguments ?? {}),
    ...Object.keys(webhook?.registration?.save ?? {}),
  ]
  const all: Record<string, JsonSchema> = {
    ...Object.fromEntries(own.map((name) => [name, {}])),
    ...propertiesOf(config as JsonSchema),
  }
  const text = JSON.stringify(request)
  return Object.fromEntries(
    Object.entries(all).filter(([name]) =>
      new RegExp(`\\{\\+?${name}[^\\w]|"\\$":"${name}"|\\|\\|\\s*${name}\\}`).test(text),
    ),
  )
}
