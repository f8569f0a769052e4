import { object } from '../../src/catalog/importers/json.ts'
import type { Operation } from '../../src/catalog/importers/model.ts'
import type { ToolManifest } from '../../src/catalog/manifest/format/index.ts'

type Request = NonNullable<ToolManifest['request']>

/**
 * Adds the headers that the toolkit always sends and for which the document of this operation allows one other value,
 * such as an older version of the API. `headers`: those of the toolkit, by lower-case name.
 */
export function withOwnHeaders(
  request: Request,
  { parameters }: Pick<Operation, 'parameters'>,
  headers: Readonly<Record<string, unknown>> = {},
): Request {
  const own = Object.entries(headers).flatMap(([name, value]) => {
    const stated = parameters.find((one) => one.in === 'header' && one.name.toLowerCase() === name)
    const values = object(stated?.schema.value)['enum']
    return Array.isArray(values) && values.length === 1 && values[0] !== value
      ? [[name, String(values[0])] as const]
      : []
  })
  return own.length === 0
    ? request
    : { ...request, headers: { ...request.headers, ...Object.fromEntries(own) } }
}
