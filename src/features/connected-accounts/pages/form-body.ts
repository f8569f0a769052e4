import fastifyFormbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'

const FORM_BYTES_MAX = 65_536
const FORM_FIELDS_MAX = 200

/** Accepts urlencoded forms as bodies, and no other content type. */
export function acceptFormBodies(
  forms: FastifyInstance,
  parser: (text: string) => Record<string, string> | { fields: URLSearchParams } = parseForm,
): void {
  forms.removeAllContentTypeParsers()
  void forms.register(fastifyFormbody, { bodyLimit: FORM_BYTES_MAX, parser })
}

/** Parses a form into an object without a prototype. Of several fields with one name, the first counts. */
function parseForm(text: string): Record<string, string> {
  const form: Record<string, string> = Object.create(null)
  for (const [name, value] of [...new URLSearchParams(text)].slice(0, FORM_FIELDS_MAX)) form[name] ??= value
  return form
}
