import { compileForFormat, inlineReferences, type JsonSchema, visitSchemas } from '../../../catalog/index.ts'
import { isObject } from '../../../platform/json-object.ts'
import type { AddProblem } from './compile-template.ts'

/** A regular expression from a user could block the event loop. */
const UNSUPPORTED_KEYWORDS = ['pattern', 'patternProperties', '$ref', '$dynamicRef', '$id', 'format']

/** Parses the JSON Schema of the inputs of a recipe. */
export function parseInputs(schema: unknown, add: AddProblem): JsonSchema {
  if (!isObject(schema) || schema['type'] !== 'object' || !isObject(schema['properties'] ?? {})) {
    add('/inputs', 'must be a JSON Schema of type object with properties.')
    return { type: 'object' }
  }
  const depth = depthOf(schema)
  if (depth > DEPTH_MAX) add('/inputs', 'is nested too deep.')
  else {
    visitSchemas(schema, '/inputs', (node, at) => {
      for (const word of UNSUPPORTED_KEYWORDS)
        if (Object.hasOwn(node, word)) add(at, `\`${word}\` is not supported in the inputs of a recipe.`)
    })
    const compiled = compileForFormat('RECIPE', schema, 'openai')
    if ('reason' in compiled) add('/inputs', compiled.reason)
  }
  return depth > DEPTH_MAX ? { type: 'object' } : { properties: {}, ...inlineReferences(schema) }
}

const DEPTH_MAX = 20

function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return depth
  return Math.max(
    depth,
    ...Object.values(value)
      .slice(0, 1_000)
      .map((inner) => depthOf(inner, depth + 1)),
  )
}
