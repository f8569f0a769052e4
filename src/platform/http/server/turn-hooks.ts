import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Audience } from '../../../contract/route.ts'
import type { Principals } from '../call.ts'
import { chargeSince } from '../turns/charged-work.ts'
import { bodyCostMs, type RequestTurn, type RequestTurns } from '../turns/request-turns.ts'
import { disconnectSignal } from './client-disconnect.ts'

/** A request with what the hooks of its route have added. */
export interface Incoming extends FastifyRequest {
  principal: Principals[Audience] | null
  hasRun: boolean
  turn: RequestTurn | null
  /** See `readsAccount` of routes. */
  changesConfirmed: Promise<boolean> | undefined
  serializationStart: number | null
}

type DoneWith = (error: Error | null, payload: unknown) => void

/** Starts the turn of a request before its body is read, so that a body that waits takes no memory. */
export function startTurn(
  turns: RequestTurns,
  projectId: string,
  operation: string,
  request: Incoming,
  reply: FastifyReply,
): void | Promise<void> {
  const bytes = Number(request.headers['content-length'] ?? 0)
  const turn = turns.start(projectId, operation, () => disconnectSignal(reply.raw), bodyCostMs(bytes))
  if (!(turn instanceof Promise)) request.turn = turn
  else
    return turn.then((started) => {
      request.turn = started
    })
}

/** Fastify serializes a response between these two hooks: for long lists, that is most of the work. */
function startSerialization(request: Incoming, _reply: FastifyReply, payload: unknown, done: DoneWith): void {
  if (request.turn) request.serializationStart = request.turn.now()
  done(null, payload)
}

function chargeSerialization(
  request: Incoming,
  _reply: FastifyReply,
  payload: unknown,
  done: DoneWith,
): void {
  if (request.turn && request.serializationStart !== null)
    chargeSince(request.turn, request.serializationStart)
  done(null, payload)
}

function endTurn(request: Incoming, _reply: FastifyReply, done: () => void): void {
  request.turn?.end()
  done()
}

/** Hooks of routes whose requests have turns. */
export const turnHooks = {
  preSerialization: startSerialization,
  onSend: chargeSerialization,
  onResponse: endTurn,
}
