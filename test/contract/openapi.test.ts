import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ERRORS, type ErrorSlug, RETIRED_ERRORS } from '../../src/contract/errors/index.ts'
import { routes } from '../../src/contract/index.ts'
import { API_VERSIONS } from '../../src/contract/route.ts'
import { TAGS } from '../../src/contract/tags.ts'
import { openApiDocument } from '../../src/platform/http/openapi/document.ts'

type Any = any
const ROOT = join(import.meta.dirname, '../..')
/** Files of src/contract that every feature uses. */
const SHARED = new Set([
  'areas',
  'branded-names',
  'command-words',
  'common',
  'errors',
  'index',
  'openapi-schema',
  'openid-fields',
  'operation-summary',
  'route',
  'schema-type',
  'scheme-names',
  'schemes',
  'sso',
  'tags',
  'theme-colors',
])

const document = JSON.parse(
  JSON.stringify(openApiDocument(routes, { publicUrl: 'http://localhost:3900' })),
) as Any
const operations: [name: string, operation: Any][] = Object.entries<Any>(document.paths).flatMap(
  ([path, item]) =>
    Object.entries<Any>(item).map(([method, operation]): [string, Any] => [`${method} ${path}`, operation]),
)

/** Returns the paths of the fields of a schema that have no description. */
function undescribedFields(schema: Any, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const fields = Object.entries<Any>(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(describesItself(field) ? [] : [`${path}.${name}`]),
    ...undescribedFields(field, `${path}.${name}`),
  ])
  const variants = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
  return [
    ...fields,
    ...undescribedFields(schema.items, `${path}[]`),
    ...undescribedFields(schema.additionalProperties, `${path}{}`),
    ...Object.values(schema.patternProperties ?? {}).flatMap((one) => undescribedFields(one, `${path}{}`)),
    ...variants.flatMap((one: Any) => undescribedFields(one, path)),
  ]
}

const describesItself = ({ description, $ref }: Any): boolean =>
  isSentence(description) || ($ref && isSentence(resolve($ref).description))
const isSentence = (text: unknown): boolean => typeof text === 'string' && /\S/.test(text)
const resolve = (ref: string): Any =>
  ref
    .slice(2)
    .split('/')
    .reduce((one, key) => one?.[key], document)

test('OpenAPI document: every operation and every tag has a description', () => {
  assert.deepEqual(
    operations.filter(([, { description }]) => !isSentence(description)).map(([name]) => name),
    [],
  )
  assert.deepEqual(
    document.tags.filter(({ description }: Any) => !isSentence(description)),
    [],
  )
  const used = new Set(operations.map(([, { tags }]) => tags[0]))
  assert.deepEqual(
    Object.keys(TAGS).filter((name) => !used.has(name)),
    [],
    'descriptions of tags that no operation has',
  )
})

test('OpenAPI document: every parameter has a description', () => {
  const undescribed = operations.flatMap(([name, { parameters = [] }]) =>
    parameters
      .filter(({ description }: Any) => !isSentence(description))
      .map((one: Any) => `${name} ${one.name}`),
  )
  assert.deepEqual(undescribed, [])
})

test('OpenAPI document: every field of request and response bodies has a description', () => {
  const bodies = operations.flatMap(([name, { requestBody, responses }]) => [
    ...undescribedFields(requestBody?.content['application/json'].schema, `${name} request`),
    ...Object.values<Any>(responses).flatMap((response) =>
      undescribedFields(response.content?.['application/json']?.schema, `${name} response`),
    ),
  ])
  const shared = Object.entries<Any>(document.components.schemas).flatMap(([name, schema]) =>
    undescribedFields(schema, name),
  )
  assert.deepEqual([...bodies, ...shared], [])
})

test('OpenAPI document: fields whose description says so are marked as deprecated', () => {
  const { uuid, restrict_to_following_tools: tools } = document.components.schemas.AuthConfig.properties
  assert.deepEqual([uuid.deprecated, tools.deprecated], [undefined, true])
  const { parameters } = document.paths['/api/v3.1/tools'].get
  assert.equal(parameters.find(({ name }: Any) => name === 'search').deprecated, true)
})

test('OpenAPI document: a deprecated operation is marked in the version that deprecates it', () => {
  const { get: older } = document.paths['/api/v3/files/list']
  const { get: newer } = document.paths['/api/v3.1/files/list']
  assert.deepEqual([older.deprecated, newer.deprecated], [undefined, true])
})

test('contract: each file or folder has the name of a feature, or is shared by all', () => {
  const names = readdirSync(join(ROOT, 'src/contract')).map((name) => name.replace(/(\.test)?\.ts$/, ''))
  const strangers = names.filter((name) => !SHARED.has(name) && !existsSync(join(ROOT, 'src/features', name)))
  assert.deepEqual(strangers, [])
})

test('contract: summaries are short and descriptions end with a full stop', () => {
  const wrong = routes.filter(
    ({ summary, description }) => summary.length > 80 || /\.$/.test(summary) || !/\.$/.test(description),
  )
  assert.deepEqual(
    wrong.map(({ id }) => id),
    [],
  )
})

test('errors: the catalogue is in the order of the codes, and no code is used twice', () => {
  const codes = Object.values(ERRORS).map(({ code }) => code)
  assert.deepEqual(
    codes,
    [...new Set(codes)].sort((one, other) => one - other),
  )
})

test('errors: retired slugs and codes are not used again', () => {
  const codes = new Set<number>(Object.values(ERRORS).map(({ code }) => code))
  const used = RETIRED_ERRORS.filter(({ slug, code }) => Object.hasOwn(ERRORS, slug) || codes.has(code))
  assert.deepEqual(used, [])
})

test('errors: every error has a next step in one or more full sentences', () => {
  const wrong = (Object.keys(ERRORS) as ErrorSlug[]).filter((slug) => !/^[A-Z`].*\.$/.test(ERRORS[slug].fix))
  assert.deepEqual(wrong, [])
})

test('OpenAPI document: each operation has a curl command for its example', () => {
  const samples = operations.filter(([name]) => name.includes('/api/'))
  assert.equal(samples.length, routes.length * API_VERSIONS.length)
  for (const [name, operation] of samples)
    assert.match(
      operation['x-codeSamples'][0].source,
      /^curl (-X \w+ )?'http:\/\/localhost:3900\/api\/v3/,
      name,
    )
  const execute = document.paths['/api/v3.1/tools/execute/{tool_slug}'].post
  assert.equal(
    execute['x-codeSamples'][0].source,
    `curl -X POST 'http://localhost:3900/api/v3.1/tools/execute/UTILITIES_GET_CURRENT_TIME' ` +
      `-H "x-api-key: $PATCHBAY_API_KEY" -H 'content-type: application/json' ` +
      `-d '{"user_id":"user-17","arguments":{"timezone":"UTC"}}'`,
  )
})
