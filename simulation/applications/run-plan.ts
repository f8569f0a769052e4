import type { Toolkit } from '../../src/catalog/index.ts'
import { selected } from './listing.ts'
import type { Plan } from './plan.ts'
import { changesIn, cursorAt, polled } from './polled.ts'
import { isObject } from './read-back.ts'
import { propertiesOf } from './read-arguments.ts'
import { read, errorReply, written } from './error-replies.ts'
import { answered, itemsReply } from './reply.ts'
import { sameText, Store, type Thing } from './store.ts'
import { sourcesOf } from './sources.ts'
import { CHANGES } from './trigger-shapes.ts'
import type { Kind } from './types.ts'
import type { WireReply, WireRequest } from './wire.ts'
import { BEGINNING } from './values.ts'
import { Webhooks } from './webhooks/index.ts'
import { plain, singular } from './words.ts'

/** What the requests of one application read and change. */
export interface ApplicationState {
  readonly toolkit: Toolkit
  readonly store: Store
  readonly kinds: ReadonlyMap<string, Kind>
  readonly webhooks: Webhooks
}

/** Runs the plan of a request, and returns the reply of the application. */
export function runPlan(
  state: ApplicationState,
  plan: Plan,
  args: Record<string, unknown>,
  request: WireRequest,
): WireReply {
  const { toolkit, store, kinds, webhooks } = state
  const { note } = plan.route
  const kind =
    kinds.get(note.typeFrom === undefined ? plan.type : singular(String(args[note.typeFrom]))) ??
    kinds.get(plan.type)!
  const context = { ...args, ...note.context }
  switch (plan.op) {
    case 'answer':
      return answered(toolkit, plan, { ...args, [CHANGES]: cursorAt(store.changes) }, store)
    case 'list': {
      const things = selected(store.all(kind, context), plan, args)
      return itemsReply(
        toolkit,
        plan,
        plan.route.trigger ? polled(things, plan, args) : things,
        args,
        store,
        { kindId: kind.id, url: request.url },
      )
    }
    case 'changes': {
      const things = store.changedAfter(changesIn(args) ?? 0, store.all(kind, context))
      return itemsReply(
        toolkit,
        plan,
        polled(things, plan, args),
        { ...args, [CHANGES]: cursorAt(store.changes) },
        store,
        { kindId: kind.id },
      )
    }
    case 'create': {
      if (store.isFull) return fullReply(toolkit)
      const made = sourcesOf(plan, args, request).map((sources) => store.create(kind, sources, context))
      const reply = itemsReply(toolkit, plan, made, args, store)
      if (plan.route.trigger?.role === 'register') webhooks.register(plan, args, made[0]!, reply.json)
      webhooks.after(plan.route.slug, args, made)
      return reply
    }
    default:
      return changeItems(state, plan, kind, args, context, request)
  }
}

function changeItems(
  state: ApplicationState,
  plan: Plan,
  kind: Kind,
  args: Record<string, unknown>,
  context: Record<string, unknown>,
  request: WireRequest,
): WireReply {
  const { toolkit, store, kinds, webhooks } = state
  const { collect, missing } = plan.route.note
  const sources = plan.op === 'update' || missing ? (sourcesOf(plan, args, request)[0] ?? []) : []
  // Several objects at once: a list of identifiers, or of objects that have theirs and what changes of them.
  const asked = [args[plan.id!] ?? []]
    .flat()
    .filter((one) => one !== '')
    .map((one) => (isObject(one) ? { id: read(one, kind.id), sources: [one] } : { id: one, sources }))
  const found: Thing[] = []
  for (const { id, sources: own } of asked) {
    const thing = findThing(store, kind, id, context)
    if (!thing && missing && store.isFull) return fullReply(toolkit)
    if (!thing && !missing)
      return errorReply(toolkit, 'not_found', `There is no ${plan.type} ${String(id).slice(0, 100)}.`)
    const there =
      thing ?? store.create(kind, [...own, written({}, kind.id, id) as Record<string, unknown>], context)
    if (plan.op === 'update') store.update(kind, there, own, thing ? args : {})
    found.push(there)
  }
  if (plan.op === 'delete') for (const thing of found) store.remove(kind, thing)
  if (plan.op === 'delete') webhooks.unregister(found)
  webhooks.after(plan.route.slug, args, found)
  if (collect && found[0]) {
    const all = kinds.get(collect.type)
    found[0].fields[collect.as] = all
      ? store
          .all(all, {})
          .filter(({ fields }) => sameText(fields[collect.by], asked[0]!.id))
          .map(({ fields }) => fields)
      : []
  }
  return itemsReply(toolkit, plan, found, args, store)
}

function fullReply(toolkit: Toolkit): WireReply {
  return errorReply(toolkit, 'invalid', 'The simulation holds as many objects as it can; reset it.')
}

/** Returns the object with this id. `me` and similar words are the first one. */
export function findThing(
  store: Store,
  kind: Kind,
  id: unknown,
  args: Record<string, unknown>,
): Thing | undefined {
  return (
    store.find(kind, id, args) ??
    (/^(me|@me|primary|self|current|root|default|~)$/i.test(String(id))
      ? store.all(kind, args)[0]
      : undefined)
  )
}

/** Creates the objects with which the application starts. */
export function createStore(plans: readonly Plan[], clock: (() => number) | undefined): Store {
  const words = new Map<string, unknown>()
  for (const { route } of plans) {
    for (const [name, schema] of Object.entries(propertiesOf(route.input))) {
      const word = schema['default'] ?? (schema['enum'] as unknown[] | undefined)?.[0]
      if (typeof word === 'string' && !/^(all|any)$/.test(word) && !words.has(plain(name)))
        words.set(plain(name), word)
    }
  }
  return new Store(words, BEGINNING, clock)
}
