// JSON-RPC 2.0 as MCP uses it. Everything here comes from a foreign server: read members with `own` only.
import { isObject, type JsonObject, getOwn, nonEmptyString } from '../../json-object.ts'

export type Id = string | number

export interface Answer {
  readonly kind: 'answer'
  readonly id: Id | undefined
  readonly result?: JsonObject
  readonly error?: { code: number; message: string; data: unknown }
}
export interface Asked {
  readonly kind: 'asked'
  readonly id: Id
  readonly method: string
}
export interface Told {
  readonly kind: 'told'
  readonly method: string
}
export type Message = Answer | Asked | Told

const MESSAGE_MAX = 2_000

/** The messages in a JSON value: one, or a list of them as revision 2025-03-26 allows. What is none is passed over. */
export function messagesIn(value: unknown): Message[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => messageIn(one) ?? [])
}

function messageIn(value: unknown): Message | undefined {
  if (getOwn(value, 'jsonrpc') !== '2.0') return undefined
  const id = getOwn(value, 'id')
  const isId = typeof id === 'string' || typeof id === 'number'
  const method = getOwn(value, 'method')
  if (typeof method === 'string') return isId ? { kind: 'asked', id, method } : { kind: 'told', method }
  const known = isId ? id : undefined
  const result = getOwn(value, 'result')
  if (isObject(result)) return { kind: 'answer', id: known, result }
  const error = getOwn(value, 'error')
  if (!isObject(error)) return undefined
  const code = getOwn(error, 'code')
  return {
    kind: 'answer',
    id: known,
    error: {
      code: typeof code === 'number' ? code : 0,
      message: (nonEmptyString(getOwn(error, 'message')) ?? 'no reason given').slice(0, MESSAGE_MAX),
      data: getOwn(error, 'data'),
    },
  }
}
