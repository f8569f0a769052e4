import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_VERSIONS, type ApiVersion } from '../../../contract/route.ts'
import type { OperationDocument } from '../../../contract/openapi-schema.ts'
import { documentOfOperation, listOperations } from './operation-index.ts'
import { listMarkdown, operationMarkdown } from './reference-markdown.ts'

export interface ReferenceOptions {
  /**
   * Returns the OpenAPI document of these versions. Called once for each choice of versions, when it is first
   * read.
   */
  document(versions: readonly ApiVersion[]): object
  /** Path of the reference in the console, relative to the root. Undefined: there is no console. */
  consolePath?: string | undefined
}

const JSON_TYPE = 'application/json; charset=utf-8'
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'
/** The reference without a version describes the current one. */
const CURRENT: ApiVersion = 'v3.1'
const OPERATION_FILE = /^([A-Za-z0-9.]{1,100})\.md$/

/**
 * Serves `/openapi.json`, its list of operations, and the API reference: `/reference` leads to that of the console, or
 * to its Markdown on a server without the console.
 */
export function registerReferenceRoutes(app: FastifyInstance, options: ReferenceOptions): void {
  documentRoutes(app, options)
  app.get('/reference', async (request, reply) => {
    const isBelow = (request.url.split('?')[0] as string).endsWith('/')
    // URLs are relative, so that they are also right below a path of a proxy.
    return reply.redirect(`${isBelow ? '../' : './'}${options.consolePath ?? 'reference.md'}`, 302)
  })
}

interface Described {
  text: string
  etag: string
}

/** How a document is described: as a whole, by the list of its operations, or by one operation. */
interface View {
  name: string
  type: string
  /** Returns undefined if the document has no such operation. */
  text(document: object): string | undefined
}

const WHOLE: View = { name: 'document', type: JSON_TYPE, text: JSON.stringify }
const LIST: View = {
  name: 'list',
  type: JSON_TYPE,
  text: (document) => JSON.stringify(listOperations(document)),
}
const LIST_PAGE: View = {
  name: 'list page',
  type: MARKDOWN_TYPE,
  text: (document) => listMarkdown(listOperations(document)),
}
const operationView = (id: string): View => ({
  name: '',
  type: JSON_TYPE,
  text: (document) => JSON.stringify(documentOfOperation(document, id)),
})
const operationPage = (id: string): View => ({
  name: '',
  type: MARKDOWN_TYPE,
  text(document) {
    const one = documentOfOperation(document, id)
    return one && operationMarkdown(one as unknown as OperationDocument)
  },
})

function documentRoutes(app: FastifyInstance, { document }: ReferenceOptions): void {
  const describe = createDescriber(document)
  const send = (request: FastifyRequest, reply: FastifyReply, view: View, standard?: ApiVersion) => {
    const { api = standard } = request.query as { api?: unknown }
    const versions = API_VERSIONS.filter((version) => api === undefined || version === api)
    const made = versions.length > 0 ? describe(versions, view) : undefined
    if (!made) return reply.callNotFound()
    reply.headers({
      'content-type': view.type,
      etag: made.etag,
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    })
    return isFresh(request, made.etag) ? reply.code(304).send() : reply.send(made.text)
  }

  app.get('/openapi.json', async (request, reply) => {
    const { operation } = request.query as { operation?: unknown }
    return send(request, reply, operation === undefined ? WHOLE : operationView(String(operation)))
  })
  app.get('/openapi/operations.json', async (request, reply) => send(request, reply, LIST))
  app.get('/reference.md', async (request, reply) => send(request, reply, LIST_PAGE, CURRENT))
  app.get<{ Params: { file: string } }>('/reference/:file', async (request, reply) => {
    const [, id] = OPERATION_FILE.exec(request.params.file) ?? []
    return id === undefined ? reply.callNotFound() : send(request, reply, operationPage(id), CURRENT)
  })
}

/** Describes documents. Documents and texts are made once; those of single operations are short and made again. */
function createDescriber(document: ReferenceOptions['document']) {
  const documents = new Map<string, object>()
  const texts = new Map<string, Described>()
  return (versions: readonly ApiVersion[], view: View): Described | undefined => {
    const key = versions.join()
    const found = documents.get(key) ?? document(versions)
    documents.set(key, found)
    const known = texts.get(`${view.name} ${key}`)
    if (known) return known
    const text = view.text(found)
    if (text === undefined) return undefined
    const made = { text, etag: tagOf(text) }
    if (view.name) texts.set(`${view.name} ${key}`, made)
    return made
  }
}

const tagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
const isFresh = (request: FastifyRequest, etag: string): boolean =>
  String(request.headers['if-none-match'] ?? '')
    .split(/\s*,\s*/)
    .includes(etag)
