import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'

const FILE = new URL('connect-popup.js', import.meta.url)
const HOUR_SECONDS = 3_600

/** Serves `/connect.js`, with which pages of the application open the connect page in a popup. */
export function connectScriptRoute(app: FastifyInstance): void {
  let script: Promise<{ text: string; etag: string }> | undefined
  app.get('/connect.js', async (request, reply) => {
    const { text, etag } = await (script ??= readScript())
    reply.headers({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': `public, max-age=${HOUR_SECONDS}`,
      // Pages of every origin may load it, also those that isolate themselves (COEP).
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      etag,
    })
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(text)
  })
}

async function readScript(): Promise<{ text: string; etag: string }> {
  const text = await readFile(FILE, 'utf8')
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
}
