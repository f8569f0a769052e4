import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../platform/http/api-error.ts'
import { llmsFullText, llmsText } from './llms.ts'
import { createPages } from './pages.ts'
import { searchSections } from './search.ts'

interface DocumentationDeps {
  /** Folder of the documentation, as in the repository. */
  folder: string
  publicUrl: string
  hasConsole: boolean
}

const QUERY_MAX = 200
const TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  webp: 'image/webp',
}
const HEADERS = {
  'cache-control': 'public, max-age=300',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/**
 * Serves the documentation of this release as text: for the pages of the console, for programs and for language models.
 * It is the same for everybody, so it needs no key.
 */
export function documentationRoutes(
  app: FastifyInstance,
  { folder, publicUrl, hasConsole }: DocumentationDeps,
): void {
  const pages = createPages(folder)
  const sendText = (reply: FastifyReply, type: string, text: string) =>
    reply.headers({ ...HEADERS, 'content-type': `${type}; charset=utf-8` }).send(text)

  app.get('/llms.txt', async (_request, reply) =>
    sendText(reply, 'text/plain', llmsText(await pages.listGroups(), publicUrl)),
  )
  app.get('/llms-full.txt', async (_request, reply) =>
    sendText(reply, 'text/plain', await llmsFullText(pages, publicUrl)),
  )
  // Relative, so that it also works below a path of a proxy.
  app.get('/docs', async (request, reply) => {
    const start = request.url.split('?')[0]?.endsWith('/') ? '../' : './'
    return reply.redirect(`${start}${hasConsole ? 'console/docs' : 'docs/README.md'}`, 302)
  })
  app.get('/docs/index.json', async (_request, reply) =>
    reply.headers(HEADERS).send({ groups: await pages.listGroups() }),
  )
  app.get('/docs/search.json', async (request, reply) =>
    reply.headers(HEADERS).send({ items: searchSections(await pages.listSections(), readQuery(request)) }),
  )
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const path = request.params['*']
    const file = await pages.read(path)
    if (!file) return reply.callNotFound()
    return reply
      .headers({ ...HEADERS, 'content-type': TYPES[path.slice(path.lastIndexOf('.') + 1)] })
      .send(file)
  })
}

function readQuery(request: FastifyRequest): string {
  const { q } = request.query as { q?: unknown }
  if (typeof q === 'string' && q.trim() !== '' && q.length <= QUERY_MAX) return q
  throw new ApiError('HTTP_BadRequest', `q: a text of 1 to ${QUERY_MAX} characters is required.`)
}
