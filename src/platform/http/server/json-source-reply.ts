import { jsonSourceOf } from '../../json-source.ts'

const DATA = '{"data":'
const EMPTY_DATA = `${DATA}{}`
const HEAD = Buffer.from(DATA)

type Stringify = (reply: unknown) => string

/**
 * Returns the JSON of a response whose `data` is the unchanged response of an application, in three parts, with the
 * bytes of the application in the middle. Undefined if the data was changed, or is small.
 */
export function aroundJsonSource(stringify: Stringify, reply: unknown): Buffer[] | undefined {
  const bytes = jsonSourceOf((reply as { data?: unknown } | null)?.data)?.bytes
  const rest = bytes && afterData(stringify, reply)
  return bytes && rest !== undefined ? [HEAD, bytes, Buffer.from(rest)] : undefined
}

/**
 * Sends the response of an application unchanged. Serializing a large one again would cost as much as the rest of
 * the call.
 */
export function reusingJsonSource(stringify: Stringify): (reply: unknown) => string | Buffer {
  return (reply) => {
    const source = jsonSourceOf((reply as { data?: unknown } | null)?.data)
    if (!source) return stringify(reply)
    const rest = afterData(stringify, reply)
    if (rest === undefined) return stringify(reply)
    return source.bytes ? Buffer.concat([HEAD, source.bytes, Buffer.from(rest)]) : DATA + source.text + rest
  }
}

/** Returns the JSON after `data`, its first field. Undefined if a schema has another order. */
function afterData(stringify: Stringify, reply: unknown): string | undefined {
  const around = stringify({ ...(reply as object), data: {} })
  return around.startsWith(EMPTY_DATA) ? around.slice(EMPTY_DATA.length) : undefined
}
