import type { FastifyRequest } from 'fastify'
import { freeUnusedBuffers } from '../../unused-buffers.ts'
import { isLargeBody, type RequestTurn } from '../turns/request-turns.ts'
import { nextPortion } from '../turns/run-in-slices.ts'

type Rejected = Pick<FastifyRequest, 'raw' | 'headers'> & { readonly turn?: RequestTurn | null }

/**
 * Reads the large body of a request that was rejected before, so that the connection can be used again. Node would read
 * it at once, and its buffers would make V8 mark the whole heap. While other projects are active, each chunk is read
 * when it is the turn of the project.
 */
export function discardUnreadBody({ raw, headers, turn }: Rejected): void {
  if (raw.readableDidRead || !isLargeBody(bytesAnnounced(headers))) return
  raw.on('data', () => {
    const portion = nextPortion(turn ?? undefined)
    if (!portion) return freeUnusedBuffers()
    raw.pause()
    void portion.then(() => raw.resume())
  })
}

/** A body of unknown length may be long. */
const bytesAnnounced = ({ 'content-length': length, 'transfer-encoding': encoding }: Rejected['headers']) =>
  encoding === undefined ? Number(length ?? 0) : Infinity
