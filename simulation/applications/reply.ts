import type { Toolkit } from '../../src/catalog/index.ts'
import { filled } from './filled.ts'
import { overlay, project } from './overlay.ts'
import type { Plan } from './plan.ts'
import { pageOf } from './paging.ts'
import { itemOf, pollPaging } from './polled.ts'
import { innerOf } from './place.ts'
import { isObject } from './read-back.ts'
import { propertiesOf } from './read-arguments.ts'
import { read, succeeding, written } from './error-replies.ts'
import type { Store, Thing } from './store.ts'
import { BEGINNING, valueFor } from './values.ts'
import type { WireReply } from './wire.ts'

/** The reply about some objects, in the shape that the output of the tool has. */
export function itemsReply(
  toolkit: Toolkit,
  plan: Plan,
  things: readonly Thing[],
  args: Readonly<Record<string, unknown>>,
  store: Store,
  { kindId = 'id', url = '' }: { kindId?: string; url?: string } = {},
): WireReply {
  const { place, op, route } = plan
  if (!place) return reply(toolkit, plan, envelope(plan, store), args, things[0])
  const [thing] = things
  if (place.kind === 'item')
    return reply(
      toolkit,
      plan,
      thing ? onto(envelope(plan, store), place.path, shownIn(thing, place.schema)) : envelope(plan, store),
      args,
      thing,
    )
  const paging = route.trigger ? pollPaging(plan, args) : { pagination: route.tool?.pagination, args }
  const page =
    op === 'list' ? pageOf(things, paging.pagination, paging.args, url) : pageOf(things, undefined, {}, url)
  const items = page.things.map((one) =>
    route.trigger?.role === 'poll'
      ? itemOf(one, plan, args)
      : place.kind === 'ids'
        ? (read(one.fields, kindId) ?? Object.values(one.fields)[0])
        : shownIn(one, place.schema),
  )
  const body = onto(envelope(plan, store), place.path, items)
  const full = reply(toolkit, plan, page.say(counted(body, things.length)), args, things[0])
  return { ...full, headers: { ...full.headers, ...page.headers } }
}

function shownIn({ fields }: Pick<Thing, 'fields'>, schema: Plan['route']['output']): unknown {
  const inner = innerOf(schema)
  return inner
    ? {
        ...(valueFor(schema, 'item', {
          type: inner.name,
          number: 1,
          now: BEGINNING,
          words: new Map(),
          sparse: false,
        }) as object),
        [inner.name]: project(fields, inner.schema),
      }
    : project(fields, schema)
}

/** A reply that no object stands behind. */
export function answered(
  toolkit: Toolkit,
  plan: Plan,
  args: Readonly<Record<string, unknown>>,
  store: Store,
): WireReply {
  const data = valueFor(plan.route.output, plan.type, store.making(plan.type, false, 1)) as Record<
    string,
    unknown
  >
  if (Object.keys(data).length) overlay(data, plan.route.output, args)
  return reply(toolkit, plan, data, args)
}

const envelope = ({ type, route }: Plan, store: Store): Record<string, unknown> =>
  valueFor(route.output, type, store.making(type, true)) as Record<string, unknown>

function onto(
  body: Record<string, unknown>,
  path: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [first, ...rest] = path
  if (first === undefined) return { ...body, ...(value as object) }
  const inner = body[first]
  return { ...body, [first]: rest.length ? onto(isObject(inner) ? inner : {}, rest, value) : value }
}

/** Totals of the list tell the truth. */
const counted = (body: Record<string, unknown>, total: number): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'number' &&
      /^(total|count|total_?(count|size|records|results)|nbhits|totalsize|contact_count)$/i.test(name)
        ? total
        : value,
    ]),
  )

/** The body as the application sends it: what `pick` takes out and `wrap` puts around is undone. */
export function reply(
  toolkit: Toolkit,
  { route }: Plan,
  data: Record<string, unknown>,
  args: Readonly<Record<string, unknown>>,
  thing?: Thing,
): WireReply {
  const { note, output, pick, wrap } = route
  if (note.text !== undefined)
    return {
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      text: filled(note.text, args, thing?.fields) as string,
    }
  if (route.tool?.response?.file && route.tool.response.file.content === undefined)
    return {
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      text: 'Simulated content.\n',
    }
  const own =
    note.reply === undefined ? data : { ...data, ...(filled(note.reply, args, thing?.fields) as object) }
  const names = Object.keys(propertiesOf(output))
  if (!names.length && pick === undefined && !Object.keys(own).length) return emptyReply(toolkit, route)
  const only = names.length === 1 ? names[0] : undefined
  const bare =
    only !== undefined &&
    Object.keys(own).length === 1 &&
    ((only === (wrap ?? 'items') && Array.isArray(own[only])) ||
      (only === (wrap ?? 'value') && typeof own[only] !== 'object'))
      ? own[only]
      : own
  const body = isObject(bare) ? unrenamed(bare, route.tool?.response?.rename) : bare
  const json = succeeding(
    pick === undefined ? body : written(undefined, pick, body),
    toolkit.manifest,
    route.tool,
  )
  return { status: 200, headers: {}, json }
}

function emptyReply(toolkit: Toolkit, route: Plan['route']): WireReply {
  const json = succeeding(undefined, toolkit.manifest, route.tool)
  return json === undefined ? { status: 204, headers: {} } : { status: 200, headers: {}, json }
}

/** The names that the application has for what the tool calls otherwise. */
function unrenamed(
  data: Record<string, unknown>,
  rename: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  const own = new Map(Object.entries(rename).map(([from, to]) => [to, from]))
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [own.get(name) ?? name, value]))
}
