import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/contract/index.ts'

type Node = Readonly<Record<string, any>>
type Part = 'params' | 'query' | 'body'

/** Returns the schema of a field. `[]` is the item of a list. */
function schemaAt(schema: Node | undefined, path: string): Node | undefined {
  let nodes: Node[] = schema ? [schema] : []
  for (const name of path.split('.'))
    nodes = nodes
      .flatMap((node) => [node, ...(node['anyOf'] ?? []), ...(node['oneOf'] ?? [])])
      .flatMap((node: Node) => (name === '[]' ? node['items'] : node['properties']?.[name]) ?? [])
  return nodes[0]
}

const NAME_OF_SERVER = { minLength: 4, maxLength: 30, pattern: '^[a-zA-Z0-9- ]+$' }
const USER = { minLength: 1, maxLength: 256 }
const ACCESS_LIST = 'connection.experimental.acl_config_for_shared'

/** The limits that the specification and its contracts name. */
const LIMITS: readonly (readonly [operation: string, part: Part, field: string, limits: Node])[] = [
  ['mcp.create', 'body', 'name', NAME_OF_SERVER],
  ['mcp.createCustom', 'body', 'name', NAME_OF_SERVER],
  ['mcp.update', 'body', 'name', NAME_OF_SERVER],
  ['mcp.createInstance', 'body', 'user_id', USER],
  ['projects.create', 'body', 'name', { minLength: 3, maxLength: 75, pattern: '^[a-zA-Z0-9_-]+$' }],
  ['toolkits.list', 'query', 'search', { minLength: 3 }],
  ['tools.read', 'params', 'tool_slug', { maxLength: 64 }],
  ['tools.execute', 'params', 'tool_slug', { maxLength: 64 }],
  ['authConfigs.create', 'body', 'auth_config.name', { minLength: 1, maxLength: 128 }],
  ['connectedAccounts.create', 'body', 'connection.user_id', USER],
  ['connectedAccounts.create', 'body', 'connection.alias', { maxLength: 128 }],
  ...['allowed_user_ids', 'not_allowed_user_ids'].flatMap((list) => [
    ['connectedAccounts.create', 'body', `${ACCESS_LIST}.${list}`, { maxItems: 1000 }] as const,
    ['connectedAccounts.create', 'body', `${ACCESS_LIST}.${list}.[]`, USER] as const,
  ]),
  ['connectedAccounts.link', 'body', 'user_id', USER],
  ['sessions.create', 'body', 'user_id', USER],
  ['sessions.create', 'body', 'multi_account.max_accounts_per_toolkit', { minimum: 2, maximum: 10 }],
  ['sessions.create', 'body', 'workbench.auto_offload_threshold', { exclusiveMinimum: 0 }],
  ['sessions.search', 'body', 'queries', { minItems: 1, maxItems: 10 }],
  ['sessions.search', 'body', 'queries.[].use_case', { maxLength: 1024 }],
  ['sessions.search', 'body', 'queries.[].known_fields', { maxLength: 500 }],
  ['webhooks.create', 'body', 'enabled_events', { minItems: 1 }],
  ['projectKeys.reportLeaked', 'body', 'api_keys', { maxItems: 100 }],
]

test('limits: fields of requests have the limits that the specification and its contracts name', () => {
  for (const [id, part, field, limits] of LIMITS) {
    const schema = schemaAt(routes.find((route) => route.id === id)?.[part], field)
    const actual = Object.fromEntries(Object.keys(limits).map((name) => [name, schema?.[name]]))
    assert.deepEqual(actual, limits, `${id} ${field}`)
  }
})
