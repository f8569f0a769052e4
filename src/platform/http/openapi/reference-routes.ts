import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createGzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_VERSIONS, type ApiVersion } from '../../../contract/route.ts'
import { documentOfOperation, listOperations } from './operation-index.ts'
import { PAGE, PAGE_SCRIPT, PAGE_STYLE } from './reference-page.ts'

export interface ReferenceOptions {
  /**
   * Returns the OpenAPI document of these versions. Called once for each choice of versions, when it is first
   * read.
   */
  document(versions: readonly ApiVersion[]): object
  /** Path of the reference in the console, relative to the root. Undefined: there is no console. */
  consolePath?: string | undefined
}

// The page loads its own files only: no inline script, no other origin. Swagger UI sets some style attributes
// from React, which the policy does not restrict; its icons are data: images.
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const PAGE_HEADERS = {
  'content-security-policy': CSP,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}
const OWN = {
  'reference.js': ['text/javascript; charset=utf-8', PAGE_SCRIPT],
  'reference.css': ['text/css; charset=utf-8', PAGE_STYLE],
} as const
const FROM_SWAGGER_UI: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
}

/**
 * Serves `/openapi.json`, its list of operations, and the API reference at `/reference`: that of the console, or
 * Swagger UI on a server without the console.
 *
 * The static files are those of `@fastify/swagger-ui`. Its plugin is not used: it requires
 * `@fastify/swagger`, loads a YAML writer and a static file server at the start, and allows inline styles and
 * a validator on another origin. Nothing is read before it is requested.
 */
export function registerReferenceRoutes(app: FastifyInstance, options: ReferenceOptions): void {
  documentRoutes(app, options)
  app.get('/reference', async (request, reply) => {
    const isBelow = (request.url.split('?')[0] as string).endsWith('/')
    // URLs are relative, so that they are also right below a path of a proxy.
    if (options.consolePath !== undefined)
      return reply.redirect(`${isBelow ? '../' : './'}${options.consolePath}`, 302)
    if (isBelow) return reply.redirect('../reference', 308)
    return reply
      .headers({ ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
      .send(PAGE)
  })
  app.get('/reference/:file', async (request, reply) => {
    const { file } = request.params as { file: string }
    if (Object.hasOwn(OWN, file)) {
      const [type, text] = OWN[file as keyof typeof OWN]
      return reply.headers({ ...PAGE_HEADERS, 'content-type': type, 'cache-control': 'no-cache' }).send(text)
    }
    return Object.hasOwn(FROM_SWAGGER_UI, file) ? sendStatic(request, reply, file) : reply.callNotFound()
  })
}

interface Described {
  text: string
  etag: string
}

/** What of a document is described: all, the list of its operations, or one operation. */
type Part = { kind: 'document' } | { kind: 'list' } | { kind: 'operation'; id: string }

function documentRoutes(app: FastifyInstance, { document }: ReferenceOptions): void {
  const documents = new Map<string, object>()
  const texts = new Map<string, Described>()
  const documentOf = (versions: readonly ApiVersion[]): object => {
    const key = versions.join()
    const found = documents.get(key) ?? document(versions)
    documents.set(key, found)
    return found
  }
  /** Returns undefined for a version or an operation that does not exist. */
  const describe = (api: string | undefined, part: Part): Described | undefined => {
    const versions = API_VERSIONS.filter((version) => api === undefined || version === api)
    if (versions.length === 0) return undefined
    const whole = documentOf(versions)
    if (part.kind === 'operation') {
      const one = documentOfOperation(whole, part.id)
      return one && describedAs(JSON.stringify(one))
    }
    const key = `${part.kind} ${versions.join()}`
    const made =
      texts.get(key) ?? describedAs(JSON.stringify(part.kind === 'list' ? listOperations(whole) : whole))
    texts.set(key, made)
    return made
  }
  const send = (request: FastifyRequest, reply: FastifyReply, part: Part) => {
    const { api } = request.query as { api?: unknown }
    const made = describe(typeof api === 'string' ? api : undefined, part)
    if (!made || (api !== undefined && typeof api !== 'string')) return reply.callNotFound()
    reply.headers({
      'content-type': 'application/json; charset=utf-8',
      etag: made.etag,
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
    })
    return isFresh(request, made.etag) ? reply.code(304).send() : reply.send(made.text)
  }

  app.get('/openapi.json', async (request, reply) => {
    const { operation } = request.query as { operation?: unknown }
    if (operation === undefined) return send(request, reply, { kind: 'document' })
    return send(request, reply, { kind: 'operation', id: String(operation) })
  })
  app.get('/openapi/operations.json', async (request, reply) => send(request, reply, { kind: 'list' }))
}

const describedAs = (text: string): Described => ({ text, etag: tagOf(text) })

/** Sends a file of the package, compressed if the client supports it: 1.7 MB become 0.5. */
async function sendStatic(request: FastifyRequest, reply: FastifyReply, file: string) {
  const path = join(
    dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')),
    'static',
    file,
  )
  const { size, mtimeMs } = await stat(path)
  const etag = `W/"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
  reply.headers({
    ...PAGE_HEADERS,
    'content-type': FROM_SWAGGER_UI[file],
    etag,
    'cache-control': 'public, max-age=3600',
    vary: 'accept-encoding',
  })
  if (isFresh(request, etag)) return reply.code(304).send()
  if (/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')))
    return reply.header('content-encoding', 'gzip').send(createReadStream(path).pipe(createGzip()))
  return reply.header('content-length', size).send(createReadStream(path))
}

const tagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
const isFresh = (request: FastifyRequest, etag: string): boolean =>
  String(request.headers['if-none-match'] ?? '')
    .split(/\s*,\s*/)
    .includes(etag)
