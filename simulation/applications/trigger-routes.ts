import type { JsonSchema, RequestManifest, TriggerManifest } from '../../src/catalog/index.ts'
import type { Notes, RouteNote, TriggerNote } from './notes.ts'
import { merged } from './overlay.ts'
import { placeAt } from './place.ts'
import { planOf, type Route } from './plan.ts'
import { propertiesOf } from './read-arguments.ts'
import { written } from './error-replies.ts'

/** What a request of a trigger is for. */
export type TriggerRole = 'poll' | 'start' | 'detail' | 'register' | 'renew' | 'remove'
/** Of which trigger a request is, and what for. */
export interface TriggerPart {
  readonly role: TriggerRole
  readonly manifest: TriggerManifest
  readonly note: TriggerNote
}

/** Registrations of webhooks are objects like others, of a kind that no tool knows. */
export const REGISTRATION = 'triggerregistration'
/** What templates of a reply call the number of changes until now: a list of changes continues there. */
export const CHANGES = '#changes'
/** Where a list stands that is the whole reply. */
const WHOLE = '#items'
const ANYTHING: JsonSchema = { type: 'object', properties: {} }

/**
 * The requests of triggers that no tool makes, or that are answered otherwise than a tool's: a poll sees the
 * newest first, or only what is new.
 */
export function routesOfTriggers(
  triggers: readonly TriggerManifest[],
  notes: Notes,
  own: readonly Route[],
  toolkit: string,
): Route[] {
  return triggers.flatMap((manifest) => {
    const note = notes.triggers?.[manifest.slug] ?? {}
    const { poll, webhook } = manifest
    const route = (
      role: TriggerRole,
      request: RequestManifest | undefined,
      shape: (like: Route | undefined) => { output: JsonSchema; note: Partial<RouteNote> },
    ): Route[] => {
      if (!request) return []
      const filled = withConstants(request, webhook?.constants ?? {})
      const like =
        notes.nouns === 'slug'
          ? undefined
          : own.find(
              (one) =>
                one.request.method === filled.method &&
                plainPath(one.request.path) === plainPath(filled.path),
            )
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
    const { registration } = webhook ?? {}
    const registered = registrationShape(registration)
    return [
      ...route('poll', poll?.request, (like) => pollShape(manifest, like)),
      ...route('start', poll?.cursor?.start.request, () => ({
        output: ANYTHING,
        note: {
          op: 'answer',
          type: 'triggerstart',
          reply: written({}, poll!.cursor!.start.path, { $: CHANGES }),
        },
      })),
      ...route('detail', poll?.detail?.request, () => ({ output: shapeOf(manifest, 'detail'), note: {} })),
      ...route('register', registration?.request, () => registered),
      ...route('renew', registration?.renew, () => ({
        output: registered.output,
        note: { ...registered.note, op: 'update', id: Object.keys(registration?.save ?? {})[0] ?? 'id' },
      })),
      ...route('remove', registration?.remove, () => ({
        output: ANYTHING,
        note: { op: 'delete', type: REGISTRATION, id: Object.keys(registration?.save ?? {})[0] ?? 'id' },
      })),
    ]
  })
}

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

/** What a poll answers: a list of the items that the tools show, with all that the events are made of. */
function pollShape(
  manifest: TriggerManifest,
  like: Route | undefined,
): { output: JsonSchema; note: Partial<RouteNote> } {
  const { items, by, cursor } = manifest.poll!
  const at = items === '$' ? WHOLE : items
  const example =
    like?.note.place === undefined && like
      ? itemOf(like.output, items === '$' ? (like.wrap ?? 'items') : items)
      : undefined
  const item = example ? merged(example, itemShape(manifest)) : itemShape(manifest)
  const output = schemaAt(at, { type: 'array', items: item })
  return {
    output,
    note: {
      op: by === 'cursor' ? 'changes' : 'list',
      place: at,
      ...(cursor && { reply: written({}, cursor.next, { $: CHANGES }) }),
    },
  }
}

/** The items of a tool's list, where it is the same list. */
function itemOf(output: JsonSchema, at: string): JsonSchema | undefined {
  const place = placeAt(output, at)
  return place.kind === 'list' ? place.schema : undefined
}

function itemShape(manifest: TriggerManifest): JsonSchema {
  const { key, time, only_when: conditions = [] } = manifest.poll!
  const shape =
    manifest.event || manifest.poll!.detail ? shapeOf(manifest, 'item') : (manifest.payload as JsonSchema)
  const asked = [
    ...[key].flat(),
    ...conditions
      .filter(({ equals }) => equals === undefined || typeof equals === 'string')
      .map(({ path }) => path),
  ]
  const keyed = asked.reduce((all, path) => merged(all, schemaAt(path, { type: 'string' })), shape)
  return time === undefined ? keyed : merged(keyed, schemaAt(time, { type: 'string', format: 'date-time' }))
}

/** Of what an event takes from `root`, the shape: the payload's, where it came from. */
function shapeOf({ event = {}, payload }: TriggerManifest, root: string): JsonSchema {
  return Object.entries(event)
    .filter(([, path]) => path.startsWith(`${root}.`))
    .reduce<JsonSchema>(
      (all, [name, path]) =>
        merged(all, schemaAt(path.slice(root.length + 1), propertiesOf(payload as JsonSchema)[name] ?? {})),
      ANYTHING,
    )
}

/** An object that has this at a dotted path. Elements of a list are not invented; the list itself is. */
function schemaAt(path: string, schema: JsonSchema): JsonSchema {
  const [head = '', ...rest] = path.startsWith("['")
    ? [path.slice(2, path.indexOf("']")), path.slice(path.indexOf("']") + 3)].filter(Boolean)
    : path.split('.')
  const name = /^[^[]+/.exec(head)?.[0] ?? head
  const inner =
    name !== head ? { type: 'array', items: {} } : rest.length ? schemaAt(rest.join('.'), schema) : schema
  return { type: 'object', properties: { [name]: inner } }
}

type Registration = NonNullable<NonNullable<TriggerManifest['webhook']>['registration']>

/** The response to a registration: an identifier, and the other fields that the manifest saves of it. */
function registrationShape(registration: Registration | undefined): {
  output: JsonSchema
  note: Partial<RouteNote>
} {
  const savedPaths = Object.values(registration?.save ?? {})
  const text: JsonSchema = { type: 'string' }
  const parts = [
    ...savedPaths.map((path) => schemaAt(path, text)),
    ...(registration?.expires?.at === undefined
      ? []
      : [schemaAt(registration.expires.at, { type: 'string', format: 'date-time' })]),
  ]
  const parent = savedPaths[0]?.split('.').slice(0, -1).join('.')
  return {
    output: parts.reduce((all, one) => merged(all, one), ANYTHING),
    note: { op: 'create', type: REGISTRATION, place: parent || '$' },
  }
}
