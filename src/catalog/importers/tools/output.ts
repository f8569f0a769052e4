import { BOUNDS } from '../bounds.ts'
import type { Json } from '../json.ts'
import type { LocatedValue } from '../openapi/references.ts'
import type { SchemaWriter } from '../schema/writer.ts'

const ANYTHING: Json = Object.freeze({ type: 'object' })

/**
 * The schema of `data`: an object as it is, a list under `items` and other values under `value`, as results
 * are wrapped. Advisory, so it is kept short.
 */
export function outputOf(result: LocatedValue | undefined, writer: SchemaWriter): Json {
  if (!result) return ANYTHING
  let best: Json | undefined
  for (const depth of [1, 2, 3]) {
    const written = writer.write(result, depth)
    if (!written || JSON.stringify(written.json).length > BOUNDS.outputCharacters) break
    best = written.json
    if (!written.cut) break
  }
  return best === undefined ? ANYTHING : wrapped(best)
}

function wrapped(schema: Json): Json {
  const types = [schema['type']].flat()
  if (types.includes('array')) return { type: 'object', properties: { items: schema } }
  if (types.includes('object')) return { ...schema, type: 'object' }
  return types.length > 0 && typeof types[0] === 'string'
    ? { type: 'object', properties: { value: schema } }
    : {
        ...(typeof schema['description'] === 'string' && { description: schema['description'] }),
        type: 'object',
      }
}
