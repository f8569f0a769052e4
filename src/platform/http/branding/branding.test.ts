import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '../../../contract/schema-type.ts'
import { routes } from '../../../contract/index.ts'
import { Enum, FreeObject, Nullable, OneOf, Open, PageOf } from '../../../contract/common.ts'
import { createAuthConfig, listAuthConfigs } from '../../../contract/auth-configs/index.ts'
import { route, type Route } from '../../../contract/route.ts'
import { executeTool, listTools } from '../../../contract/tools/index.ts'
import { listToolkits } from '../../../contract/toolkits/index.ts'
import { BRANDED_NAMES } from '../../../contract/branded-names.ts'
import { createBranding, type WireRoute } from './branding.ts'
import { createRenamer } from './rename-fields.ts'

const acme = createBranding('acme')
const SHAPE = {
  id: 'x.y',
  method: 'POST',
  path: '/x',
  summary: 'X',
  description: 'X.',
  audience: 'project',
} as const
const sent = (wire: WireRoute, request: { query?: unknown; body?: unknown }) => {
  const seen = { query: request.query ?? {}, body: request.body ?? {} }
  wire.renameRequest?.(seen)
  return seen
}
const replied = (reply: Route['reply'], value: unknown) =>
  acme.route(route({ ...SHAPE, reply })).renameReply?.(value)
const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen)
    Object.freeze(value)
  }
  return value
}

test('branding: the default word changes no route and no schema', () => {
  const plain = createBranding('service')
  for (const one of routes) {
    const wire = plain.route(one)
    assert.deepEqual(Object.keys(wire).sort(), ['body', 'params', 'query', 'reply'], one.id)
    for (const part of ['params', 'query', 'body', 'reply'] as const) assert.equal(wire[part], one[part])
  }
  assert.equal(plain.toWire('SERVICE_SEARCH_TOOLS'), 'SERVICE_SEARCH_TOOLS')
})

test('branding: routes without a branded name have no hook', () => {
  for (const one of [executeTool, listTools]) {
    const wire = acme.route(one)
    assert.deepEqual(
      [wire.renameRequest, wire.renameReply, wire.reply],
      [undefined, undefined, one.reply],
      one.id,
    )
  }
  assert.ok(acme.route(listToolkits).renameReply)
})

test('branding: every name of the list contains the word and changes with it', () => {
  for (const names of Object.values({ ...BRANDED_NAMES, bareValueOf: [] as const })) {
    for (const name of names) {
      assert.match(name, /service|SERVICE/)
      assert.doesNotMatch(acme.toWire(name), /service/i, name)
      assert.equal(acme.fromWire(acme.toWire(name)), name)
      assert.equal(acme.fromWire(name), name)
    }
  }
  assert.deepEqual(
    [
      acme.toWire('service.trigger.message'),
      acme.toWire('x-service-delivery-attempt'),
      acme.toWire('SERVICE_REMOTE_BASH_TOOL'),
      acme.toWire('SERVICE_TOOLKIT_VERSION_'),
    ],
    ['acme.trigger.message', 'x-acme-delivery-attempt', 'ACME_REMOTE_BASH_TOOL', 'ACME_TOOLKIT_VERSION_'],
  )
  assert.equal(acme.fromWire('GITHUB_GET_REPOSITORY'), 'GITHUB_GET_REPOSITORY')
})

test('branding: every branded name of the contract is in the list', () => {
  const declared = new Set<string>()
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node === 'string') {
      if (/service/i.test(node) && /^[\w.-]+$/.test(node)) declared.add(node)
      return
    }
    if (typeof node !== 'object' || node === null) return
    for (const [key, part] of Object.entries(node))
      if (key !== 'description' && key !== 'pattern') {
        visit(key)
        visit(part)
      }
  }
  for (const { params, query, body, reply } of routes) visit([params, query, body, reply])
  const listed = new Set<string>([
    ...BRANDED_NAMES.keys,
    ...BRANDED_NAMES.values,
    ...BRANDED_NAMES.metaToolkit,
    ...BRANDED_NAMES.metaTools,
    ...BRANDED_NAMES.events,
    ...BRANDED_NAMES.disabledReasons,
  ])
  assert.ok(declared.has('is_service_managed') && declared.has('service'))
  assert.deepEqual(
    [...declared].filter((name) => !listed.has(name)),
    [],
  )
})

test('branding: responses have the branded spelling only, at every depth', () => {
  const Item = Type.Object({ is_service_managed: Type.Boolean(), managed_by: Enum(['service', 'all']) })
  const reply = Type.Object({
    page: PageOf(Item),
    one: Nullable(Item),
    by_user: Type.Record(Type.String(), Item),
    any: Type.Union([Type.String(), Item]),
    type: Type.Literal('use_service_managed_auth'),
  })
  const item = { is_service_managed: true, managed_by: 'service' }
  const wire = { is_acme_managed: true, managed_by: 'acme' }
  assert.deepEqual(
    replied(reply, {
      page: { items: [item, { ...item, managed_by: 'all' }], total_items: 2 },
      one: item,
      by_user: { is_service_managed: item },
      any: item,
      type: 'use_service_managed_auth',
    }),
    {
      page: { items: [wire, { ...wire, managed_by: 'all' }], total_items: 2 },
      one: wire,
      by_user: { is_service_managed: wire },
      any: wire,
      type: 'use_acme_managed_auth',
    },
  )
  assert.deepEqual(replied(reply, { one: null, any: 'service' }), { one: null, any: 'service' })
})

test('branding: objects of handlers are never changed', () => {
  const reply = Type.Object({
    items: Type.Array(Type.Object({ is_service_managed: Type.Optional(Type.Boolean()), data: Open({}) })),
    meta: Open({}),
  })
  const handed = frozen({
    items: [{ is_service_managed: true, data: { a: 1 } }, { data: { b: 2 } }],
    meta: { deep: {} },
  })
  const wire = replied(reply, handed) as typeof handed
  assert.deepEqual(wire, {
    items: [{ is_acme_managed: true, data: { a: 1 } }, { data: { b: 2 } }],
    meta: { deep: {} },
  })
  assert.deepEqual(
    [
      wire.meta === handed.meta,
      wire.items[1] === handed.items[1],
      wire.items[0]?.data === handed.items[0]?.data,
    ],
    [true, true, true],
  )
  const nothing = frozen({ items: [{ data: {} }], meta: {} })
  assert.equal(replied(reply, nothing), nothing)
})

test('branding: requests may use both spellings, and the internal one has priority', () => {
  const body = (name: string, type: string) => ({
    toolkit: { slug: 'github' },
    auth_config: { type, [name]: 'n' },
  })
  const wire = acme.route(createAuthConfig)
  assert.deepEqual(
    sent(wire, { body: body('name', 'use_acme_managed_auth') }).body,
    body('name', 'use_service_managed_auth'),
  )
  assert.deepEqual(
    sent(wire, { body: body('name', 'use_service_managed_auth') }).body,
    body('name', 'use_service_managed_auth'),
  )
  const list = acme.route(listAuthConfigs)
  assert.deepEqual(sent(list, { query: { is_acme_managed: 'true', limit: '2' } }).query, {
    is_service_managed: 'true',
    limit: '2',
  })
  assert.deepEqual(sent(list, { query: { is_acme_managed: 'true', is_service_managed: 'false' } }).query, {
    is_service_managed: 'false',
  })
  assert.deepEqual(sent(list, { query: { is_service_managed: 'false', is_acme_managed: 'true' } }).query, {
    is_service_managed: 'false',
  })
  assert.deepEqual(sent(acme.route(listToolkits), { query: { managed_by: 'acme', search: 'acme' } }).query, {
    managed_by: 'service',
    search: 'acme',
  })
})

test('branding: texts, arguments, credentials and map keys of users are not changed', () => {
  const words = {
    is_acme_managed: 'use_acme_managed_auth',
    is_service_managed: 'use_service_managed_auth',
    service: 'service',
    acme: 'acme',
  }
  const Shape = Type.Object({
    is_service_managed: Type.Optional(Type.Boolean()),
    name: Type.String(),
    arguments: FreeObject,
    credentials: Open({}),
    shared_credentials: Type.Unknown(),
    texts: Type.Array(Type.String()),
    either: Type.Union([Type.String(), Type.Array(Type.String())]),
  })
  const value = () => ({
    name: 'use_service_managed_auth',
    arguments: words,
    credentials: words,
    shared_credentials: words,
    texts: Object.values(words),
    either: 'acme',
  })
  assert.deepEqual(
    sent(acme.route(route({ ...SHAPE, body: Shape })), { body: { ...value(), is_acme_managed: true } }).body,
    { ...value(), is_service_managed: true },
  )
  assert.deepEqual(replied(Shape, { ...value(), is_service_managed: true }), {
    ...value(),
    is_acme_managed: true,
  })
  const hostile = JSON.parse('{"__proto__": {"x": 1}, "is_service_managed": true}') as object
  const wire = replied(Shape, hostile) as object
  assert.deepEqual(
    [Object.keys(wire), Object.getPrototypeOf(wire)],
    [['__proto__', 'is_acme_managed'], Object.prototype],
  )
})

test('branding: a union is renamed by the variant of its discriminator, in both spellings', () => {
  const body = Type.Object({
    part: OneOf('type', [
      Type.Object({
        type: Type.Literal('use_service_managed_auth'),
        inner: Type.Object({ is_service_managed: Type.Boolean() }),
      }),
      Type.Object({ type: Type.Literal('free'), inner: FreeObject }),
    ]),
  })
  const wire = acme.route(route({ ...SHAPE, body, reply: body }))
  for (const type of ['use_acme_managed_auth', 'use_service_managed_auth']) {
    assert.deepEqual(sent(wire, { body: { part: { type, inner: { is_acme_managed: true } } } }).body, {
      part: { type: 'use_service_managed_auth', inner: { is_service_managed: true } },
    })
  }
  const free = { part: { type: 'free', inner: { is_acme_managed: true, is_service_managed: true } } }
  assert.deepEqual(sent(wire, { body: free }).body, free)
  assert.equal(wire.renameReply?.(free), free)
})

test('branding: values of a wrong type are not changed before validation', () => {
  const wire = acme.route(createAuthConfig)
  for (const body of [
    null,
    'text',
    7,
    [],
    { auth_config: null },
    { auth_config: [1] },
    { auth_config: { type: 5 } },
    { auth_config: { type: {} } },
  ])
    assert.deepEqual(sent({ ...wire }, { body: frozen(body) }).body, body ?? {})
})

test('branding: a schema is shown with wire names, and the declared one is not changed', () => {
  const body = Type.Object({
    is_service_managed: Type.Boolean(),
    managed_by: Enum(['service', 'all'], {
      default: 'service',
      examples: ['service'],
      description: 'Of the service.',
    }),
    service: Type.Optional(Type.String({ default: 'service' })),
  })
  const before = JSON.stringify(body)
  const renamed = JSON.parse(JSON.stringify(acme.schema(body))) as {
    properties: Record<string, object>
    required: string[]
  }
  assert.deepEqual(renamed.required, ['is_acme_managed', 'managed_by'])
  assert.deepEqual(renamed.properties, {
    is_acme_managed: { type: 'boolean' },
    managed_by: {
      type: 'string',
      enum: ['acme', 'all'],
      default: 'acme',
      examples: ['acme'],
      description: 'Of the service.',
    },
    service: { type: 'string', default: 'service' },
  })
  assert.equal(JSON.stringify(body), before)
  assert.equal(createRenamer(Type.Object({ a: Type.String() }), acme.spelling, 'out'), undefined)
})
