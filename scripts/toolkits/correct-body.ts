import { ImportRejected } from '../../src/catalog/importers/import-rejected.ts'
import { type Json, object } from '../../src/catalog/importers/json.ts'
import type { Body } from '../../src/catalog/importers/model.ts'
import type { References } from '../../src/catalog/importers/openapi/references.ts'
import { bodyTypeOf } from '../../src/catalog/importers/tools/media-types.ts'

/**
 * Returns the body with its members required where its schema requires some. A document without `required` at the body
 * leaves it optional, but a POST without the members that the vendor requires is rejected. Members that the vendor sets
 * (`readOnly`) are not sent.
 */
export function requiredBody(body: Body, method: string, references: References): Body {
  if (body.required || !['post', 'put', 'patch', 'delete'].includes(method)) return body
  const { required, properties } = membersOf(body, references)
  const isSent = (name: unknown) => object(object(properties)[String(name)])['readOnly'] !== true
  return Array.isArray(required) && required.some(isSent) ? { ...body, required: true } : body
}

/**
 * Corrects the media type of a body that contradicts its schema. An object with members under a type of text or bytes
 * is JSON: documents that were converted from Google's discovery format state the types of the file that an upload may
 * have (`message/rfc822`). `{type: object, format: binary}` is a file of any type.
 */
export function correctBody(body: Body, references: References): Body {
  if (bodyTypeOf(body.mediaType) === 'multipart') return withFilePart(body, references)
  // A recorded request: the text of its JSON, under any type.
  const { type: own, format: ownFormat } = membersOf(body, references)
  if (body.mediaType === '*/*' && own === 'string' && ownFormat === undefined)
    return { ...body, mediaType: 'application/json', schema: { ...body.schema, value: { type: 'object' } } }
  if (!['text', 'binary'].includes(bodyTypeOf(body.mediaType))) return body
  const { properties, type, format } = object(references.follow(body.schema).value)
  if (Object.keys(object(properties)).length > 0) return { ...body, mediaType: 'application/json' }
  return type === 'object' && format === 'binary' ? { ...body, mediaType: 'application/octet-stream' } : body
}

/** Returns the body with a file as its part `file`: some documents say that it is text, or the URL of a file. */
function withFilePart(body: Body, references: References): Body {
  const schema = membersOf(body, references)
  const properties = object(schema['properties'])
  const part = object(properties['file'])
  const isText = part['type'] === 'string' && part['format'] !== 'binary' && part['enum'] === undefined
  const isFileOrNothing = JSON.stringify(part['anyOf'] ?? null).includes('"format":"binary"')
  if (!isText && !isFileOrNothing) return body
  const value = { ...schema, properties: { ...properties, file: { type: 'string', format: 'binary' } } }
  return { ...body, schema: { ...references.follow(body.schema), value } }
}

/** The schema of a body; empty where it is not in the document. */
function membersOf(body: Body, references: References): Json {
  try {
    return object(references.follow(body.schema).value)
  } catch (error) {
    if (error instanceof ImportRejected) return {}
    throw error
  }
}
