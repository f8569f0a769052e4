import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import type { ApiVersion, Route } from '../../src/contract/route.ts'
import type { ErrorBody } from '../fixtures/client.ts'

/** A request as it goes over the wire; nothing of it has to fit the contract. */
export interface Raw {
  headers?: Record<string, string> | undefined
  /** Values of the places in the path; `encoded` leaves them as they are. */
  params?: Record<string, unknown> | undefined
  encoded?: boolean | undefined
  /** An object, or the text behind the question mark. */
  query?: Record<string, unknown> | string | undefined
  /** JSON value. */
  body?: unknown
  /** Text or bytes in place of a JSON value. */
  text?: string | Buffer | undefined
  method?: string | undefined
}
export interface Sent {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  body: any
}

export function address(
  route: Route,
  version: ApiVersion,
  { params = {}, encoded = false, query = '' }: Raw = {},
): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    // A URL parser takes `.` and `..` away before anything is sent; what the server makes of them is tested
    // on a socket.
    const value = String(params[name] ?? 'absent').replace(/^((\.|%2e){1,2})$/i, '$1_')
    return encoded ? value : encodeURIComponent(value.toWellFormed())
  })
  const text =
    typeof query === 'string'
      ? query
      : Object.entries(query)
          .map(([key, value]) =>
            [key, Array.isArray(value) ? value.join(',') : String(value)].map(encodeURIComponent).join('='),
          )
          .join('&')
  return `/api/${version}${path}${text && `?${text}`}`
}

/** Each request is of another client: a server slows a client down whose requests it rejects. */
let clients = 0
const nextAddress = () => `10.${(++clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`

export async function send(
  app: FastifyInstance,
  route: Route,
  version: ApiVersion,
  request: Raw,
): Promise<Sent> {
  const payload = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
  const reply = await app.inject({
    method: (request.method ?? route.method) as 'GET',
    url: address(route, version, request),
    headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...request.headers },
    ...(payload === undefined ? {} : { payload }),
    remoteAddress: nextAddress(),
  })
  return { status: reply.statusCode, headers: reply.headers, text: reply.body, body: parsed(reply.body) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const MEMBERS = {
  message: 'string',
  code: 'number',
  slug: 'string',
  status: 'number',
  request_id: 'string',
  suggested_fix: 'string',
  errors: 'object',
}

/** Asserts that a reply is the error envelope, whole and about itself; answers what it holds. */
export function envelope(reply: Sent, what: string): ErrorBody['error'] {
  const error = (reply.body as ErrorBody | undefined)?.error as ErrorBody['error']
  assert.ok(error, `${what}: ${reply.status} without an envelope: ${reply.text.slice(0, 200)}`)
  assert.match(String(reply.headers['content-type']), /^application\/json/, what)
  assert.deepEqual(
    Object.fromEntries(Object.entries(error).map(([name, value]) => [name, typeof value])),
    MEMBERS,
    what,
  )
  assert.ok(Array.isArray(error.errors) && error.errors.every((one) => typeof one === 'string'), what)
  assert.equal(error.status, reply.status, what)
  assert.ok(error.message && error.slug && error.suggested_fix, what)
  assert.equal(reply.headers['x-request-id'], error.request_id, what)
  return error
}
