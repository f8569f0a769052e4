import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  type Catalog,
  type JsonSchema,
  loadCatalog,
  type ResolvedTrigger,
  type ToolManifest,
} from '../../src/catalog/index.ts'
import { propertiesOf } from '../../src/catalog/manifest/json-schema.ts'
import { mostUsed, TRIGGERS_MIN, withoutTriggers } from './coverage.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'toolkits')
const catalog = await loadCatalog({ folder: FOLDER })
const triggers = catalog.toolkits.flatMap(({ slug }) => catalog.triggers(slug, 'latest'))

test('triggers: each of the most used toolkits has two or more, or a stated reason', () => {
  const missing = mostUsed.filter((slug) => {
    const count = catalog.toolkit(slug) ? catalog.triggers(slug, 'latest').length : 0
    return count < TRIGGERS_MIN !== slug in withoutTriggers
  })
  assert.deepEqual(missing, [])
})

test('triggers: each poll is a request of a tool, with its parameters and fields, or has a vendor page', () => {
  const differences = triggers.flatMap((found) => {
    const { poll, docs_url, slug } = found.trigger.manifest
    if (!poll || docs_url !== undefined) return []
    const tools = toolsLike(catalog, found)
    if (tools.length === 0) return [`${slug}: no tool has ${poll.request.method} ${poll.request.path}`]
    const known = new Set(tools.flatMap(({ request }) => queryNames(request!)))
    const unknown = queryNames(poll.request).filter((name) => !known.has(name) && name !== '$skiptoken')
    return [
      ...unknown.map((name) => `${slug}: no tool has the query parameter ${name}`),
      ...missingFields(found, tools).map((path) => `${slug}: no tool returns ${path}`),
    ]
  })
  assert.deepEqual(differences, [])
})

type Request = Pick<NonNullable<ToolManifest['request']>, 'method' | 'path' | 'query'>

/** Returns the tools of the toolkit with the method and the path of a poll, whatever their parameters are called. */
function toolsLike(from: Catalog, { toolkit, trigger }: ResolvedTrigger): ToolManifest[] {
  const key = ({ method, path }: Request) =>
    `${method} ${path.replace(/\{[^}]*\}/g, '{}').replace(/(\.json)?\/?$/, '')}`
  const own = key(trigger.manifest.poll!.request)
  return [...from.manifests(toolkit.slug, toolkit.version)].filter(
    ({ request }) => request !== undefined && key(request) === own,
  )
}

const queryNames = ({ query }: Request): string[] => (Array.isArray(query) ? query : Object.keys(query ?? {}))

/** Paths of the event that the schemas of all tools exclude. A schema without properties excludes nothing. */
function missingFields({ trigger }: ResolvedTrigger, tools: readonly ToolManifest[]): string[] {
  const { poll, event = {} } = trigger.manifest
  const list = poll!.items === '$' ? 'items' : poll!.items
  return Object.values(event)
    .filter((path) => path.startsWith('item.'))
    .map((path) => `${list}.${path.slice('item.'.length)}`)
    .filter((path) => tools.every(({ output }) => excludes(output as JsonSchema, path)))
}

function excludes(schema: JsonSchema, path: string): boolean {
  let current: JsonSchema | undefined = schema
  for (const name of path.split('.')) {
    while (current && [current['type']].flat().includes('array')) current = current['items'] as JsonSchema
    const properties = propertiesOf(current ?? {})
    if (Object.keys(properties).length === 0) return false
    if (!Object.hasOwn(properties, name)) return true
    current = properties[name]
  }
  return false
}
