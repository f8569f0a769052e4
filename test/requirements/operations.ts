import { SPECIFIED_OPERATIONS, type SpecifiedOperation } from './operations-data.ts'
import { type Requirement, testsOf } from './requirement.ts'

const inOperationsTest = testsOf('test/requirements/operations.test.ts')
const operationEvidence = inOperationsTest(
  'operations: the document of v3 has every operation, parameter and field that the specification has',
)
const valueEvidence = inOperationsTest(
  'operations: the document names every value that the specification names',
)
const deprecationEvidence = inOperationsTest(
  'operations: the document marks the request fields that the specification deprecates',
)

const defaultEvidence = inOperationsTest(
  'operations: the document states the default values that the specification has',
)

/** Removes the mark of required names. */
export const plainName = (name: string): string => name.replace(/!$/, '')

export const operationName = ({ method, path }: SpecifiedOperation): string => `${method} ${path}`

function requirementsOfOperation(operation: SpecifiedOperation): Requirement[] {
  const {
    section,
    query = [],
    body = [],
    headers = [],
    enums = {},
    deprecated = [],
    defaults = {},
  } = operation
  const name = operationName(operation)
  const row = (part: string, text: string, evidence: Requirement['evidence']): Requirement => ({
    id: `operations.${name}${part && ` ${part}`}`,
    section,
    text,
    evidence,
  })
  const input = (place: string) => (declared: string) =>
    row(
      `${place}.${plainName(declared)}`,
      `${name} accepts \`${plainName(declared)}\` in its ${place}${declared.endsWith('!') ? ' and requires it' : ''}.`,
      operationEvidence,
    )
  return [
    row('', `${name} exists.`, operationEvidence),
    ...query.map(input('query')),
    ...body.map(input('body')),
    ...headers.map(input('headers')),
    ...Object.entries(enums).map(([field, values]) =>
      row(`values.${field}`, `\`${field}\` of ${name} accepts ${values.join(', ')}.`, valueEvidence),
    ),
    ...Object.entries(defaults).map(([field, value]) =>
      row(`defaults.${field}`, `\`${field}\` of ${name} is ${value} by default.`, defaultEvidence),
    ),
    ...deprecated.map((field) =>
      row(
        `deprecated.${field}`,
        `\`${field}\` of ${name} is accepted and documented as deprecated.`,
        deprecationEvidence,
      ),
    ),
  ]
}

export const OPERATION_REQUIREMENTS: readonly Requirement[] =
  SPECIFIED_OPERATIONS.flatMap(requirementsOfOperation)
