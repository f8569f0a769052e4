import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type JsonSchema, openCatalog } from '../../src/catalog/index.ts'

const catalog = openCatalog({
  folder: fileURLToPath(new URL('../../toolkits', import.meta.url)),
  operations: false,
})
const triggers = catalog.toolkits
  .flatMap(({ slug }) => catalog.triggers(slug, 'latest'))
  .map(({ trigger }) => trigger)
const membersOf = (schema: JsonSchema) =>
  Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)

function undescribed(schema: JsonSchema, path: string): string[] {
  const own = membersOf(schema).flatMap(([name, inner]) => [
    ...(typeof inner['description'] === 'string' && /\.$/.test(inner['description'])
      ? []
      : [`${path}.${name}`]),
    ...undescribed(inner, `${path}.${name}`),
  ])
  return schema['items'] ? [...own, ...undescribed(schema['items'] as JsonSchema, `${path}[]`)] : own
}

test('every trigger that ships says of each member of its configuration and its payload what it is', () => {
  assert.deepEqual(
    triggers.flatMap(({ slug, config, payload }) => [
      ...undescribed(config, `${slug} config`),
      ...undescribed(payload, `${slug} payload`),
    ]),
    [],
  )
})

test('the payload schema of a trigger has the fields of its events, and requires those always present', () => {
  for (const { slug, manifest, payload } of triggers) {
    const names = membersOf(payload).map(([name]) => name)
    if (manifest.event) assert.deepEqual(Object.keys(manifest.event).toSorted(), names.toSorted(), slug)
    for (const name of payload['required'] as string[]) assert.ok(names.includes(name), `${slug}: ${name}`)
  }
})

test('a trigger asks for the scopes that tools of its toolkit know, where there are scopes', () => {
  for (const { slug, toolkit, scopeRequirements } of triggers) {
    const schemes = catalog.toolkit(toolkit)!.manifest.auth as {
      scopes?: { default?: string[]; available?: string[] }
    }[]
    const known = new Set(
      schemes.flatMap(({ scopes }) => [...(scopes?.default ?? []), ...(scopes?.available ?? [])]),
    )
    const asked = (scopeRequirements?.all_of ?? []).map((one) =>
      typeof one === 'string' ? [one] : one.any_of,
    )
    for (const scopes of asked)
      assert.ok(
        scopes.some((scope) => known.has(scope)),
        `${slug}: no way to connect can ask for ${scopes.join(', ')}`,
      )
  }
})
