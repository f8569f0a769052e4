import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationName, plainName } from './operations.ts'
import { SPECIFIED_OPERATIONS, type SpecifiedOperation } from './operations-data.ts'
import { routes } from '../../src/contract/index.ts'
import { openApiDocument } from '../../src/platform/http/openapi/document.ts'

type Schema = Record<string, any>

const document = openApiDocument(routes, { publicUrl: 'http://localhost:3900' }) as Schema

const resolve = (schema: Schema | undefined): Schema =>
  schema?.['$ref'] === undefined
    ? (schema ?? {})
    : resolve(
        String(schema['$ref'])
          .slice(2)
          .split('/')
          .reduce<Schema>((at, name) => at[name], document),
      )

/** Fields of a body, also of its alternatives. */
function fieldsOf(schema: Schema): Record<string, Schema> {
  const whole = resolve(schema)
  return Object.assign(
    {},
    ...['anyOf', 'oneOf', 'allOf'].flatMap((key) => (whole[key] ?? []).map(fieldsOf)),
    whole['properties'],
  ) as Record<string, Schema>
}

interface Input {
  schema: Schema
  required: boolean
  deprecated: boolean
}

/** Inputs of an operation by `query.name`, `headers.name` and `body.name`; undefined if there is no such operation. */
function inputsOf({ method, path }: SpecifiedOperation): Map<string, Input> | undefined {
  const pattern = new RegExp(`^/api/v3${path.replaceAll('{}', '\\{[^/]+\\}')}$`)
  const found = Object.keys(document['paths']).find((one) => pattern.test(one))
  const operation = found && document['paths'][found][method.toLowerCase()]
  if (!operation) return undefined
  const parameters = (operation.parameters ?? []).map(resolve).map((one: Schema): [string, Input] => [
    `${one['in'] === 'header' ? 'headers' : one['in']}.${one['name']}`,
    {
      schema: { ...resolve(one['schema']), description: one['description'] },
      required: one['required'] === true,
      deprecated: one['deprecated'] === true,
    },
  ])
  const body = resolve(operation.requestBody?.content?.['application/json']?.schema)
  const fields = Object.entries(fieldsOf(body)).map(([name, schema]): [string, Input] => [
    `body.${name}`,
    {
      schema: resolve(schema),
      required: (body['required'] ?? []).includes(name),
      deprecated: resolve(schema)['deprecated'] === true || schema['deprecated'] === true,
    },
  ])
  return new Map([...parameters, ...fields])
}

const inputNamed = (operation: SpecifiedOperation, name: string): Input | undefined =>
  ['query', 'body', 'headers'].map((place) => inputsOf(operation)?.get(`${place}.${name}`)).find(Boolean)

/** The schema of a parameter or field, or of a field of it: `manage_connections.enable`. */
function schemaNamed(operation: SpecifiedOperation, name: string): Schema {
  const [input = '', ...fields] = name.split('.')
  return fields.reduce<Schema>(
    (schema, field) => resolve(fieldsOf(schema)[field]),
    inputNamed(operation, input)?.schema ?? {},
  )
}

const valuesOf = (schema: Schema): unknown[] => [
  ...(schema['enum'] ?? []),
  ...('const' in schema ? [schema['const']] : []),
  ...['anyOf', 'oneOf'].flatMap((key) => (schema[key] ?? []).map(resolve).flatMap(valuesOf)),
]

test('operations: the document of v3 has every operation, parameter and field that the specification has', () => {
  const problems = SPECIFIED_OPERATIONS.flatMap((operation) => {
    const inputs = inputsOf(operation)
    if (!inputs) return [`${operationName(operation)} does not exist`]
    return (['query', 'body', 'headers'] as const).flatMap((place) =>
      (operation[place] ?? []).flatMap((declared) => {
        const key = `${place}.${plainName(declared)}`
        const input = inputs.get(key)
        if (!input) return [`${operationName(operation)}: ${key} is not declared`]
        return input.required === declared.endsWith('!')
          ? []
          : [`${operationName(operation)}: ${key} is ${input.required ? '' : 'not '}required`]
      }),
    )
  })
  assert.deepEqual(problems, [])
})

test('operations: the document names every value that the specification names', () => {
  const problems = SPECIFIED_OPERATIONS.flatMap((operation) =>
    Object.entries(operation.enums ?? {}).flatMap(([name, values]) => {
      const declared = valuesOf(inputNamed(operation, name)?.schema ?? {})
      const missing = values.filter((value) => !declared.includes(value))
      return missing.length
        ? [`${operationName(operation)}: ${name} does not list ${missing.join(', ')}`]
        : []
    }),
  )
  assert.deepEqual(problems, [])
})

test('operations: the document marks the request fields that the specification deprecates', () => {
  const problems = SPECIFIED_OPERATIONS.flatMap((operation) =>
    (operation.deprecated ?? []).flatMap((name) =>
      inputNamed(operation, name)?.deprecated
        ? []
        : [`${operationName(operation)}: ${name} is not marked as deprecated`],
    ),
  )
  assert.deepEqual(problems, [])
})

test('operations: the document states the default values that the specification has', () => {
  const problems = SPECIFIED_OPERATIONS.flatMap((operation) =>
    Object.entries(operation.defaults ?? {}).flatMap(([name, value]) => {
      const { default: declared, description = '' } = schemaNamed(operation, name)
      // Where `default` would change a stored value at an update, or has two values, the description states it.
      const states = new RegExp(`\\bDefault:? \`?${value}\\b`).test(description)
      return (declared === undefined || declared === value) && states
        ? []
        : [`${operationName(operation)}: ${name} does not state ${value}: ${description}`]
    }),
  )
  assert.deepEqual(problems, [])
})
