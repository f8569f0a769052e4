import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/contract/index.ts'
import { ERRORS, SHARED_ERRORS } from '../../src/contract/errors/index.ts'

interface Node {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  maxLength?: number
  maxItems?: number
  maxProperties?: number
  properties?: Record<string, Node>
  items?: Node
  patternProperties?: Record<string, Node>
  additionalProperties?: Node | boolean
  anyOf?: Node[]
  oneOf?: Node[]
  allOf?: Node[]
}

/** Places without a bound of their own, and what bounds them instead. */
const WITHOUT: Readonly<Record<string, string>> = {
  'tools.execute body.arguments': 'the input schema of the tool, and the size of a body',
  'tools.execute body.arguments.*': 'the input schema of the tool, and the size of a body',
  'tools.execute body.custom_auth_params.body.*': 'goes to the application as it is; the size of a body',
  'tools.execute body.custom_connection_data.val.*': 'not stored; the size of a body',
  'policies.check body.arguments.*': 'not stored; the size of a body',
  'tools.proxy body.body': 'goes to the application as it is; the size of a body',
  'tools.proxy body.custom_connection_data.val.*': 'not stored; the size of a body',
  'toolkits.import body.content': 'the size of a body, and the bounds of an import',
  'toolkits.import body.content_gzip': 'the size of a body; unpacked, the bounds of an import',
  'authConfigs.create body.auth_config.credentials.*': 'sealed as one value; the size of a body',
  'authConfigs.update body.credentials.*': 'sealed as one value; the size of a body',
  'authConfigs.update body.auth_config.credentials.*': 'sealed as one value; the size of a body',
  'authConfigs.create body.auth_config.shared_credentials.*': 'sealed as one value; the size of a body',
  'authConfigs.update body.shared_credentials.*': 'sealed as one value; the size of a body',
  'authConfigs.update body.auth_config.shared_credentials.*': 'sealed as one value; the size of a body',
  'connectedAccounts.create body.connection.data.*': 'sealed as one value; the size of a body',
  'connectedAccounts.create body.connection.state.val.*': 'sealed as one value; the size of a body',
  'connectedAccounts.link body.connection_data.*': 'sealed as one value; the size of a body',
  'connectedAccounts.update body.connection.state.val.*': 'sealed as one value; the size of a body',
  'triggers.upsert body.trigger_config.*':
    'the config schema of the trigger type, and 20,000 characters of the whole',
  'triggers.upsert body.triggerConfig.*':
    'the config schema of the trigger type, and 20,000 characters of the whole',
  'triggers.test body.payload.*': '65,536 bytes of the whole',
  'sessions.execute body.arguments': 'the input schema of the tool, and the size of a body',
  'sessions.execute body.arguments.*': 'the input schema of the tool, and the size of a body',
  'sessions.proxy body.body': 'goes to the application as it is; the size of a body',
  'sessions.proxy body.custom_connection_data.val.*': 'not stored; the size of a body',
  'sessions.executeMeta body.arguments': 'the input schema of the tool, and the size of a body',
  'sessions.executeMeta body.arguments.*': 'the input schema of the tool, and the size of a body',
  ...Object.fromEntries(
    ['create', 'attach', 'execute', 'executeMeta', 'search'].flatMap((id) =>
      ['custom_tools[]', 'custom_toolkits[].tools[]'].flatMap((tools) =>
        ['input_schema', 'output_schema'].map((schema) => [
          `sessions.${id} body.experimental.${tools}.${schema}.*`,
          'not stored; the size of a body',
        ]),
      ),
    ),
  ),
}

/** Every place of a request that could hold something without end. */
function unbounded(node: Node, at: string): string[] {
  const types = [node.type ?? []].flat()
  const variants = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])]
  const says = types.length > 0 || variants.length > 0 || node.enum !== undefined || node.const !== undefined
  return [
    ...(says ? [] : [at]),
    ...(types.includes('string') && node.maxLength === undefined && !node.enum && node.const === undefined
      ? [at]
      : []),
    ...(types.includes('array') && (node.maxItems === undefined || !node.items) ? [at] : []),
    ...(Object.keys(node.patternProperties ?? {}).length && node.maxProperties === undefined ? [at] : []),
    ...Object.entries(node.properties ?? {}).flatMap(([name, member]) => unbounded(member, `${at}.${name}`)),
    ...Object.values(node.patternProperties ?? {}).flatMap((member) => unbounded(member, `${at}.*`)),
    ...(node.items ? unbounded(node.items, `${at}[]`) : []),
    ...variants.flatMap((variant) => unbounded(variant, at)),
  ]
}

test('every text, list and map of a request has a bound, or a reason why not', () => {
  const found = new Set(
    routes.flatMap((route) =>
      (['params', 'query', 'body'] as const).flatMap((part) =>
        unbounded(route[part] as Node, `${route.id} ${part}`),
      ),
    ),
  )
  assert.deepEqual([...found].sort(), Object.keys(WITHOUT).sort())
})

test('the check sees what has no bound', () => {
  const schema: Node = {
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { type: 'array', items: { type: 'string', maxLength: 1 } },
      c: { type: 'object', patternProperties: { '^.*$': {} } },
      d: { type: ['string', 'null'] },
      e: { enum: ['x'] },
    },
  }
  assert.deepEqual(unbounded(schema, 'body'), ['body.a', 'body.b', 'body.c', 'body.c.*', 'body.d'])
})

test('operations have unlike ids and addresses, and parameters are those of the address', () => {
  const ids = routes.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  const addresses = routes.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`)
  assert.equal(new Set(addresses).size, addresses.length)
  for (const route of routes) {
    assert.match(route.id, /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/)
    const places = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    assert.deepEqual(Object.keys((route.params as Node).properties ?? {}).sort(), places.sort(), route.id)
  }
})

/** The hundreds of the codes of each family of slugs. */
const FAMILIES: Readonly<Record<string, number>> = {
  ...{ Auth_Config: 3, ConnectedAccount: 6, Migration: 7, APIKey: 8, Project: 9, Incident: 9, User: 9 },
  ...{ Console: 10, Member: 10, Sso: 10, TriggerType: 11, TriggerInstance: 12, Mcp: 13 },
  ...{
    WebhookSubscription: 14,
    WebhookEndpoint: 14,
    WebhookIngress: 14,
    Event: 14,
    Alert: 14,
    Log: 15,
    File: 16,
  },
  ...{ ActionExecute: 18, ActionProxy: 18, Policy: 19, Approval: 19, Budget: 20, Toolkit: 21, Tool: 24 },
  ...{ ToolRouterV2: 43, Playground: 106 },
}

test('errors have codes of their own and of their family; an operation has no shared errors', () => {
  const codes = Object.values(ERRORS).map(({ code }) => code)
  assert.equal(new Set(codes).size, codes.length)
  for (const [slug, { code, status, fix }] of Object.entries(ERRORS)) {
    if (!slug.startsWith('HTTP_'))
      assert.equal(Math.floor(code / 100), FAMILIES[slug.slice(0, slug.lastIndexOf('_'))], slug)
    if (slug.startsWith('HTTP_')) assert.equal(code, 10_000 + status, slug)
    assert.ok(fix.endsWith('.') && fix.length < 200, slug)
  }
  for (const route of routes)
    for (const slug of route.errors) assert.ok(!SHARED_ERRORS.includes(slug), `${route.id} repeats ${slug}`)
})
