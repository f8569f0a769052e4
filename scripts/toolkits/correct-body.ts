import { object } from '../../src/catalog/importers/json.ts'
import type { Body } from '../../src/catalog/importers/model.ts'
import type { References } from '../../src/catalog/importers/openapi/references.ts'
import { bodyTypeOf } from '../../src/catalog/importers/tools/media-types.ts'

/**
 * Corrects the media type of a body that contradicts its schema. An object with members under a type of text or bytes
 * is JSON: documents that were converted from Google's discovery format state the types of the file that an upload may
 * have (`message/rfc822`). `{type: object, format: binary}` is a file of any type.
 */
export function correctBody(body: Body, references: References): Body {
  if (!['text', 'binary'].includes(bodyTypeOf(body.mediaType))) return body
  const { properties, type, format } = object(references.follow(body.schema).value)
  if (Object.keys(object(properties)).length > 0) return { ...body, mediaType: 'application/json' }
  return type === 'object' && format === 'binary' ? { ...body, mediaType: 'application/octet-stream' } : body
}
