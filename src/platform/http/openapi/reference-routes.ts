import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createGzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_VERSIONS, type ApiVersion } from '../../../contract/route.ts'
import { PAGE, PAGE_SCRIPT, PAGE_STYLE } from './reference-page.ts'

export interface ReferenceOptions {
  /**
   * Returns the OpenAPI document of these versions. Called once for each choice of versions, when it is first
   * read.
   */
  document(versions: readonly ApiVersion[]): object
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
 * Serves `/openapi.json`, and the API reference at `/reference`.
 *
 * The static files are those of `@fastify/swagger-ui`. Its plugin is not used: it requires
 * `@fastify/swagger`, loads a YAML writer and a static file server at the start, and allows inline styles and
 * a validator on another origin. Nothing is read before it is requested.
 */
export function registerReferenceRoutes(app: FastifyInstance, { document }: ReferenceOptions): void {
  const documents = new Map<string, { text: string; etag: string }>()
  const describe = (api: string | undefined) => {
    const versions = API_VERSIONS.filter((version) => api === undefined || version === api)
    if (versions.length === 0) return undefined
    const key = versions.join()
    const found = documents.get(key)
    if (found) return found
    const text = JSON.stringify(document(versions))
    const made = { text, etag: tagOf(text) }
    documents.set(key, made)
    return made
  }

  app.get('/openapi.json', async (request, reply) => {
    const { api } = request.query as { api?: unknown }
    const made = describe(typeof api === 'string' ? api : undefined)
    if (!made || (api !== undefined && typeof api !== 'string')) return reply.callNotFound()
    reply.headers({
      'content-type': 'application/json; charset=utf-8',
      etag: made.etag,
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
    })
    return isFresh(request, made.etag) ? reply.code(304).send() : reply.send(made.text)
  })
  app.get('/reference', async (request, reply) => {
    // URLs in the page are relative, so that it also works below a path of a proxy.
    if ((request.url.split('?')[0] as string).endsWith('/')) return reply.redirect('../reference', 308)
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
