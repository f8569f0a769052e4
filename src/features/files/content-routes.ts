import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../platform/http/api-error.ts'
import { downloadHeaders } from './media-types.ts'
import type { FileService } from './service.ts'

/** Disables the limit of the framework: bytes are counted while they are written. */
const ANY_LENGTH = Number.MAX_SAFE_INTEGER
const LENGTH = /^\d{1,15}$/

interface Signed {
  Querystring: Record<string, unknown>
}

/** Uploads and downloads of file contents. The signed URL is the permission, so no API key is needed. */
export function fileContentRoutes(app: FastifyInstance, files: FileService): void {
  app.register(async (bytes) => {
    bytes.removeAllContentTypeParsers()
    bytes.addContentTypeParser('*', { bodyLimit: ANY_LENGTH }, (_request, payload, done) =>
      done(null, payload),
    )
    bytes.put<Signed & { Body: Readable | undefined }>(
      '/files/put/:name',
      { bodyLimit: ANY_LENGTH },
      async (request, reply) => {
        const { 'content-type': type, 'content-length': length } = request.headers
        try {
          await files.receive(
            request.query['pass'],
            type,
            length !== undefined && LENGTH.test(length) ? Number(length) : undefined,
            request.body ?? request.raw,
          )
        } catch (error) {
          // Unread bytes must not be parsed as the next request of the connection.
          reply.header('connection', 'close')
          if ((error as NodeJS.ErrnoException).code === 'ECONNRESET' || request.raw.destroyed)
            throw new ApiError('HTTP_BadRequest', 'The upload was interrupted. Send the file again.', {
              cause: error,
            })
          throw error
        }
        return reply.code(200).send()
      },
    )
    bytes.get<Signed>('/files/get/:name', async (request, reply) => {
      const { bytes: stream, size, filename, mimetype } = await files.open(request.query['pass'])
      return reply.headers({ ...downloadHeaders(mimetype, filename), 'content-length': size }).send(stream)
    })
  })
}
