import type { JsonSchema, RequestManifest, ToolManifest } from '../../src/catalog/index.ts'
import type { Notes, Operation, ToolNote } from './notes.ts'
import { itemPlace, listPlace, type Place, placeAt } from './place.ts'
import { propertiesOf, typesOf } from './read-arguments.ts'
import type { TriggerPart } from './trigger-routes.ts'
import { plain, singular, slugWords, wordsOf } from './words.ts'

/** A request that the simulated application understands: that of a tool, or one that only the notes have. */
export interface Route {
  readonly slug: string
  readonly request: RequestManifest
  readonly effect: 'read' | 'create' | 'update' | 'delete'
  readonly input: JsonSchema
  readonly output: JsonSchema
  readonly pick: string | undefined
  readonly wrap: string | undefined
  readonly noAuth: boolean
  /** The tool whose request it is. */
  readonly tool: ToolManifest | undefined
  readonly note: ToolNote
  /** The trigger whose request it is. */
  readonly trigger?: TriggerPart
}

/** What a route does to the state. */
export interface Plan {
  readonly op: Operation
  readonly type: string
  /** Argument that says which object. */
  readonly id: string | undefined
  /** Arguments of the path that say in what the object stands, and the kinds of these. */
  readonly within: readonly string[]
  readonly place: Place | undefined
  readonly route: Route
}

interface Segment {
  readonly word: string
  readonly arg: string | undefined
}

/** Words behind a collection that ask for a part of it. */
const QUALIFIERS = new Set([
  'search',
  'query',
  'all',
  'requested',
  'listrecords',
  'batch',
  'find',
  'emails',
  'jql',
])
/** Words behind an object that make another of the same kind. */
const COPIES = new Set(['copy', 'quickadd', 'duplicate'])
/** Words behind an object that change it, although the tool adds something. */
const CHANGES = new Set(['batchupdate', 'append'])
const VERSION = /^(v?\d[\w.-]*|api|rest|v\d+)$/i

/** What a route means, from the shape of its path, its effect and its output; the notes have the last word. */
export function planOf(route: Route, toolkit: string, notes: Notes): Plan {
  const inferred = notes.nouns === 'slug' ? bySlug(route, toolkit) : byPath(route, toolkit)
  const { op: ownOp, type: ownType, id: ownId, within } = route.note
  const type = translatedName(ownType ?? inferred.type, notes)
  const op = ownOp ?? inferred.op
  const id =
    ownId ??
    (ownType && !ownOp && inferred.id === undefined ? undefined : inferred.id) ??
    (op === 'get' || op === 'update' || op === 'delete' ? idArgument(route, type) : undefined)
  const isChoice = id !== undefined && propertiesOf(route.input)[id]?.['enum'] !== undefined
  const place =
    route.note.place === undefined
      ? op === 'list'
        ? listPlace(route.output)
        : itemPlace(route.output)
      : placeAt(route.output, route.note.place)
  return {
    op:
      (id === undefined || isChoice) && (op === 'get' || op === 'update' || op === 'delete') ? 'answer' : op,
    type,
    id,
    within: [...inferred.within, ...(within ?? [])].filter((name) => name !== id),
    place,
    route,
  }
}

const translatedName = (word: string, { names = {} }: Notes): string =>
  Object.hasOwn(names, word) ? names[word]! : word

type Inferred = Pick<Plan, 'op' | 'type' | 'id' | 'within'>

function segmentsOf(path: string): Segment[] {
  return path
    .replace(/^https?:\/\/[^/]+/, '')
    .replace(/^\{[^}]*\}/, (whole) => (path.startsWith('/') ? whole : ''))
    .split('?')[0]!
    .split('/')
    .filter(Boolean)
    .flatMap((part) => {
      const [head = '', verb] = part.includes('}:')
        ? part.split('}:').map((one, index) => (index ? one : `${one}}`))
        : [part]
      const arg = /\{\+?([A-Za-z_$][\w.$-]*)/.exec(head)?.[1]
      return [
        { word: head.replace(/\.json$/, ''), arg },
        ...(verb === undefined ? [] : [{ word: verb, arg: undefined }]),
      ]
    })
}

function byPath(route: Route, toolkit: string): Inferred {
  const segments = segmentsOf(route.request.path).filter(
    ({ word, arg }) => arg !== undefined || !VERSION.test(word),
  )
  const args = segments.flatMap(({ arg }) =>
    arg === undefined || !Object.hasOwn(propertiesOf(route.input), arg) ? [] : [arg],
  )
  const known = segments.map(({ word, arg }) => ({
    word,
    arg: arg !== undefined && args.includes(arg) ? arg : undefined,
    isPlace: arg !== undefined,
  }))
  while (
    known.length > 1 &&
    !known.at(-1)!.isPlace &&
    QUALIFIERS.has(plain(known.at(-1)!.word)) &&
    !known.at(-2)!.isPlace
  )
    known.pop()
  const last = known.at(-1)
  const nounBefore = (index: number) => known.slice(0, index).findLast(({ isPlace }) => !isPlace)?.word
  const fallback = slugWords(route.slug, toolkit).noun
  if (!last) return { op: 'answer', type: fallback, id: undefined, within: [] }
  if (last.isPlace) {
    const noun = singular(nounBefore(known.length) ?? fallback)
    const id = last.arg
    if (id === undefined) return { op: 'answer', type: noun, id: undefined, within: args }
    if (route.effect === 'read' && listPlace(route.output)?.kind === 'list' && !isSingleton(route.output))
      return { op: 'list', type: noun, id: undefined, within: args }
    if (route.effect === 'create' && route.request.method === 'POST')
      return { op: 'create', type: noun, id: undefined, within: args }
    const op = route.effect === 'read' ? 'get' : route.effect
    return { op, type: noun, id, within: args.filter((name) => name !== id) }
  }
  const parent = known.at(-2)
  const noun = singular(
    QUALIFIERS.has(plain(last.word)) ? (nounBefore(known.length - 1) ?? fallback) : last.word,
  )
  if (route.effect === 'read')
    return listPlace(route.output)?.kind === 'list' && !isSingleton(route.output)
      ? { op: 'list', type: noun, id: undefined, within: args }
      : { op: 'answer', type: noun, id: undefined, within: args }
  if (route.effect === 'create' && parent?.arg !== undefined && COPIES.has(plain(last.word)))
    return {
      op: 'create',
      type: singular(nounBefore(known.length - 1) ?? fallback),
      id: undefined,
      within: args.filter((name) => name !== parent.arg),
    }
  if (route.effect === 'create' && !(parent?.arg !== undefined && CHANGES.has(plain(last.word))))
    return { op: 'create', type: noun, id: undefined, within: args }
  if (parent?.arg !== undefined && route.request.method !== 'DELETE')
    return {
      op: 'update',
      type: singular(nounBefore(known.length - 1) ?? fallback),
      id: parent.arg,
      within: args.filter((name) => name !== parent.arg),
    }
  return { op: parent?.arg === undefined ? route.effect : 'answer', type: noun, id: undefined, within: args }
}

/** An output that is one object of its own, although it has lists in it. */
const isSingleton = (output: JsonSchema): boolean =>
  Object.keys(propertiesOf(output)).some((name) =>
    /^(id|Id|key|gid|sid|documentId|spreadsheetId|name)$/.test(name),
  )

const VERB_OPS: Readonly<Record<string, Operation>> = {
  list: 'list',
  search: 'list',
  find: 'list',
  query: 'list',
  get: 'get',
  read: 'get',
  create: 'create',
  add: 'create',
  send: 'create',
  update: 'update',
  edit: 'update',
  delete: 'delete',
  remove: 'delete',
}

function bySlug(route: Route, toolkit: string): Inferred {
  const { verb, noun } = slugWords(route.slug, toolkit)
  const byVerb = VERB_OPS[verb] ?? (route.effect === 'read' ? 'answer' : route.effect)
  const id = byVerb === 'list' || byVerb === 'create' ? undefined : idArgument(route, noun)
  return {
    op:
      byVerb === 'get' &&
      id === undefined &&
      listPlace(route.output)?.kind === 'list' &&
      !isSingleton(route.output)
        ? 'list'
        : byVerb,
    type: noun,
    id,
    within: [],
  }
}

/** The argument that says which object is meant: `issue_id`, `issue`, `id`. */
export function idArgument({ input }: Route, type: string): string | undefined {
  const names = Object.keys(propertiesOf(input)).filter((name) =>
    typesOf(propertiesOf(input)[name]).some((one) => one === 'string' || one === 'integer'),
  )
  const ENDS = ['id', 'key', 'gid', 'sid', 'number', 'uri', 'iid', 'uuid', 'ts', 'name', 'path', 'email']
  return (
    names.find((name) => plain(name) === `${type}id`) ??
    names.find((name) => {
      const words = wordsOf(name)
      return ENDS.includes(words.at(-1) ?? '') && singular(words.slice(0, -1).join('')) === type
    }) ??
    names.find((name) => singular(name) === type) ??
    names.find((name) => plain(name) === 'id')
  )
}
