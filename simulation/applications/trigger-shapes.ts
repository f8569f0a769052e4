import type { JsonSchema, TriggerManifest } from '../../src/catalog/index.ts'
import type { RouteNote } from './notes.ts'
import { merged } from './overlay.ts'
import { placeAt } from './place.ts'
import type { Route } from './plan.ts'
import { propertiesOf } from './read-arguments.ts'
import { written } from './error-replies.ts'

/** Registrations of webhooks are objects like others, of a kind that no tool knows. */
export const REGISTRATION = 'triggerregistration'
/** What templates of a reply call the number of changes until now: a list of changes continues there. */
export const CHANGES = '#changes'
/** The place of a list that is the whole reply. */
export const WHOLE = '#items'
/** An object with any fields. */
export const ANYTHING: JsonSchema = { type: 'object', properties: {} }

/** What a poll answers: a list of the items that the tools show, with all that the events are made of. */
export function pollShape(
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
export function shapeOf({ event = {}, payload }: TriggerManifest, root: string): JsonSchema {
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
export function registrationShape(registration: Registration | undefined): {
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
