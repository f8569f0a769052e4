import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/contract/index.ts'
import { API_VERSIONS, type ApiVersion, type Route } from '../../src/contract/route.ts'
import { schemaCompilers } from '../../src/platform/http/server/schema-compilers.ts'
import { emptyApplications } from '../fixtures/empty-applications.ts'
import { testApp, type TestApp } from '../fixtures/app.ts'
import { type Raw, send } from './send.ts'

/** Requests that read are sent before those that change something. */
const READS_FIRST = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

const asRequest = ({ example: { params, query, body } }: Route): Raw => ({ params, query, body })

/** Returns a copy of query values with lists in the form that validation receives. */
function asParsedQuery({ query, example }: Route): Record<string, unknown> {
  const { properties = {} } = query as { properties?: Record<string, { type?: unknown }> }
  return Object.fromEntries(
    Object.entries(example.query ?? {}).map(([name, value]) => [
      name,
      properties[name]?.type === 'array' && typeof value === 'string' ? value.split(',') : value,
    ]),
  )
}

function violations(schema: object, part: 'params' | 'querystring' | 'body', value: unknown): unknown {
  const validate = schemaCompilers().validator(schema, part)
  return validate(structuredClone(value)) ? [] : (validate as { errors?: unknown }).errors
}

test('examples: every example is valid against the schemas of its operation', () => {
  for (const route of routes) {
    const { params = {}, body = {} } = route.example
    assert.deepEqual(violations(route.params, 'params', params), [], `${route.id} params`)
    assert.deepEqual(violations(route.query, 'querystring', asParsedQuery(route)), [], `${route.id} query`)
    assert.deepEqual(violations(route.body, 'body', body), [], `${route.id} body`)
  }
})

test('examples: every parameter of a path has an example value, and every name is declared', () => {
  for (const { id, path, query, example } of routes) {
    const places = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    assert.deepEqual(Object.keys(example.params ?? {}).sort(), places.sort(), `${id} params`)
    const { properties = {} } = query as { properties?: object }
    for (const name of Object.keys(example.query ?? {})) assert.ok(Object.hasOwn(properties, name), id)
  }
})

/** Sends the example of a route, and returns what is wrong with the response. */
async function failureOf({ app, keys }: TestApp, route: Route, version: ApiVersion): Promise<string[]> {
  const headers: Record<string, string> =
    route.audience === 'organization'
      ? { 'x-org-api-key': keys.organizationApiKey }
      : { 'x-api-key': keys.projectApiKey }
  const reply = await send(app.http, route, version, { ...asRequest(route), headers })
  const isExpected = reply.status === route.status || reply.status === route.otherStatus?.status
  return isExpected ? [] : [`${route.id}: ${reply.status} ${reply.text.slice(0, 500)}`]
}

for (const version of API_VERSIONS)
  test(`examples: every example that needs nothing succeeds on a fresh server in ${version}`, async (t) => {
    const app = await testApp(t, { simulateApplications: emptyApplications })
    const independent = routes
      .filter(({ example }) => !example.needs)
      .sort((one, other) => READS_FIRST.indexOf(one.method) - READS_FIRST.indexOf(other.method))
    assert.ok(independent.length > 40, `${independent.length} examples need nothing`)
    const failures: string[] = []
    for (const route of independent) failures.push(...(await failureOf(app, route, version)))
    assert.deepEqual(failures, [])
  })
