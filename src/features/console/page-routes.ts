import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Logger } from '../../platform/log.ts'
import { withTimeout } from '../../platform/timeout.ts'
import type { ConsoleAssets, ConsoleBundle } from './assets.ts'
import type { SignInDeps } from './sign-in-routes.ts'
import { CONSOLE_HEADERS, PREPARING_PAGE, renderPage } from './page.ts'

/** Longer builds show a page that says so. */
const PAGE_WAIT_MS = 3_000
const HTML = { ...CONSOLE_HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }

interface PageDeps {
  assets: ConsoleAssets
  publicUrl: string
  version: string
  oidc: SignInDeps['oidc']
  log: Pick<Logger, 'error'>
}

/** Serves the page and the files of the console. They are public: all data comes from the API. */
export function pageRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { assets, version, publicUrl } = deps
  const prefix = new URL(publicUrl).pathname.replace(/\/+$/, '')

  const sendPage = async (_request: FastifyRequest, reply: FastifyReply) => {
    const bundle = await withTimeout(loadBundle(deps), PAGE_WAIT_MS)
    return bundle
      ? reply.headers(HTML).send(renderPage(bundle, prefix))
      : reply
          .headers({ ...HTML, 'cache-control': 'no-store', 'retry-after': '1' })
          .code(503)
          .send(PREPARING_PAGE)
  }
  app.get('/console', sendPage)
  app.get('/console/*', sendPage)

  app.get('/console/boot.json', async (_request, reply) => {
    const provider = await deps.oidc.current()
    return reply.headers({ ...CONSOLE_HEADERS, 'cache-control': 'no-store' }).send({
      version,
      public_url: publicUrl,
      sign_in: {
        is_sso_only: provider?.settings.isOnly ?? false,
        sso: provider ? { name: provider.settings.name } : null,
      },
    })
  })

  app.get<{ Params: { file: string } }>('/console/assets/:file', async (request, reply) => {
    const file = (await assets.get()).files.get(request.params.file)
    if (!file) return reply.callNotFound()
    const accepted = String(request.headers['accept-encoding'] ?? '')
    const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined
    reply.headers({
      ...CONSOLE_HEADERS,
      'content-type': file.type,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    if (!encoding) return reply.send(file.bytes)
    return reply.header('content-encoding', encoding).send(encoding === 'br' ? file.brotli : file.gzip)
  })
}

async function loadBundle({ assets, log }: PageDeps): Promise<ConsoleBundle> {
  try {
    return await assets.get()
  } catch (error) {
    log.error({ err: error }, 'the console could not be built')
    throw new ApiError(
      'HTTP_ServiceUnavailable',
      'The console could not be built. The log of the server says why.',
    )
  }
}
