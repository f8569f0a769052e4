import type { ErrorMeaning, Toolkit, ToolManifest } from '../../src/catalog/index.ts'
import type { WireReply } from './wire.ts'

const STATUS: Readonly<Record<ErrorMeaning, number>> = {
  reauth: 401,
  rate_limit: 429,
  permission: 403,
  not_found: 404,
  invalid: 400,
  transient: 503,
}

interface Condition {
  status?: number | number[]
  header?: { name: string; equals?: string; exists?: boolean }
  body?: { path: string; equals?: unknown; one_of?: unknown[]; contains?: string; exists?: boolean }
}

/**
 * The error response of the application, in its own shape: status, header and body of the first rule of the
 * manifest that really has this meaning, the
 * message where the manifest says that messages stand.
 */
export function errorReply(toolkit: Toolkit, meaning: ErrorMeaning, message: string): WireReply {
  const conditions = (toolkit.manifest.errors ?? [])
    .filter((rule) => rule.meaning === meaning)
    .map(({ when }) => when as Condition)
  for (const condition of [...conditions, {}]) {
    const reply = shaped(toolkit, condition, STATUS[meaning], message)
    const first = toolkit.errors.find(({ when }) =>
      when({ status: reply.status, headers: reply.headers, body: reply.json }),
    )
    if (first ? first.meaning === meaning : meaningOfStatus(reply.status) === meaning) return reply
  }
  return { status: STATUS[meaning], headers: {}, json: { message } }
}

function shaped(
  { manifest }: Toolkit,
  { status, header, body }: Condition,
  usual: number,
  message: string,
): WireReply {
  const statuses = [status ?? usual].flat()
  let json: unknown
  const isFine = status === undefined && manifest.success_when !== undefined
  if (manifest.success_when) json = without(json, manifest.success_when as Condition)
  const place =
    manifest.error_message?.find(
      (path) => body?.path === undefined || path !== body.path || body.contains !== undefined,
    ) ??
    manifest.error_message?.[0] ??
    'message'
  json = written(json, place, message)
  if (body && body.exists !== false)
    json = written(
      json,
      body.path,
      body.equals ??
        body.one_of?.[0] ??
        (body.contains !== undefined ? `${body.contains} (${message})` : message),
    )
  return {
    status: isFine ? 200 : statuses.includes(usual) ? usual : statuses[0]!,
    headers: header && header.exists !== false ? { [header.name.toLowerCase()]: header.equals ?? '1' } : {},
    json,
  }
}

/** An error response lacks what marks a success. */
function without(json: unknown, { body }: Condition): unknown {
  if (!body) return json
  if (typeof body.equals === 'boolean') return written(json, body.path, !body.equals)
  return body.exists === false ? written(json, body.path, 'rejected') : json
}

/** What a success must have, so that the tool takes it for one. */
export function succeeding(
  json: unknown,
  manifest: Toolkit['manifest'],
  tool: ToolManifest | undefined,
): unknown {
  const condition = (tool?.success_when ?? manifest.success_when) as Condition | undefined
  if (!condition?.body || (typeof json !== 'object' && json !== undefined)) return json
  const { path, equals, exists } = condition.body
  if (equals !== undefined) return written(json, path, equals)
  return exists === false || read(json, path) !== undefined ? json : written(json, path, '1')
}

const steps = (path: string): (string | number)[] =>
  path === '$'
    ? []
    : [...path.matchAll(/\['([^'\]]+)'\]|([^.[\]]+)|\[(\d+)\]/g)].map(([, quoted, key, index]) =>
        quoted !== undefined
          ? quoted
          : key !== undefined
            ? /^\d+$/.test(key)
              ? Number(key)
              : key
            : Number(index),
      )

/** The value with another at a dotted path, objects and lists made on the way. */
export function written(json: unknown, path: string, value: unknown): unknown {
  const [first, ...rest] = steps(path)
  return first === undefined ? value : put(json, [first, ...rest], value)
}

function put(json: unknown, [step, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (step === undefined) return value
  if (typeof step === 'number') {
    const list = Array.isArray(json) ? ([...json] as unknown[]) : []
    list[step] = put(list[step], rest, value)
    return list
  }
  const object =
    json !== null && typeof json === 'object' && !Array.isArray(json) ? (json as Record<string, unknown>) : {}
  return { ...object, [step]: put(Object.hasOwn(object, step) ? object[step] : undefined, rest, value) }
}

export function read(json: unknown, path: string): unknown {
  return steps(path).reduce<unknown>(
    (at, step) =>
      at !== null && typeof at === 'object' && Object.hasOwn(at, step)
        ? (at as Record<string | number, unknown>)[step]
        : undefined,
    json,
  )
}

function meaningOfStatus(status: number): ErrorMeaning | undefined {
  if (status < 400) return undefined
  return (
    (Object.entries(STATUS) as [ErrorMeaning, number][]).find(([, own]) => own === status)?.[0] ??
    (status >= 500 ? 'transient' : 'invalid')
  )
}
