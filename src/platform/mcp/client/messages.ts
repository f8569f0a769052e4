// JSON-RPC 2.0 as MCP uses it. All messages come from an untrusted server: read fields with `getOwn` only.
import { isObject, type JsonObject, getOwn, nonEmptyString } from '../../json-object.ts'

export type RpcId = string | number

export interface RpcResponse {
  readonly kind: 'response'
  readonly id: RpcId | undefined
  readonly result?: JsonObject
  readonly error?: { code: number; message: string; data: unknown }
}
export interface RpcRequest {
  readonly kind: 'request'
  readonly id: RpcId
  readonly method: string
}
export interface RpcNotification {
  readonly kind: 'notification'
  readonly method: string
}
export type RpcMessage = RpcResponse | RpcRequest | RpcNotification

const MESSAGE_MAX = 2_000

/**
 * Returns the messages in a JSON value: one, or a list as in revision 2025-03-26. Other values are skipped.
 */
export function parseMessages(value: unknown): RpcMessage[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => parseMessage(one) ?? [])
}

function parseMessage(value: unknown): RpcMessage | undefined {
  if (getOwn(value, 'jsonrpc') !== '2.0') return undefined
  const id = getOwn(value, 'id')
  const isId = typeof id === 'string' || typeof id === 'number'
  const method = getOwn(value, 'method')
  if (typeof method === 'string')
    return isId ? { kind: 'request', id, method } : { kind: 'notification', method }
  const known = isId ? id : undefined
  const result = getOwn(value, 'result')
  if (isObject(result)) return { kind: 'response', id: known, result }
  const error = getOwn(value, 'error')
  if (!isObject(error)) return undefined
  const code = getOwn(error, 'code')
  return {
    kind: 'response',
    id: known,
    error: {
      code: typeof code === 'number' ? code : 0,
      message: (nonEmptyString(getOwn(error, 'message')) ?? 'no reason given').slice(0, MESSAGE_MAX),
      data: getOwn(error, 'data'),
    },
  }
}
