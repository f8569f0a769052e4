import type { PlaygroundMessage } from '../../contract/playground.ts'
import { parseBoundedJson } from '../../platform/bounded-json.ts'
import type { EgressResponse } from '../../platform/egress/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { isObject } from '../../platform/json-object.ts'

const TEXT_MAX = 400_000
const CALLS_MAX = 64
const NAME_MAX = 200
const ERROR_CHARACTERS_MAX = 300

const failed = (text: string) => new ApiError('Playground_ModelFailed', text)

/**
 * Reads a response of the chat completions API (https://platform.openai.com/docs/api-reference/chat).
 * @param key is removed from the message of an error, which some APIs repeat
 * @throws ApiError 502
 */
export function readCompletion(
  { status, body }: EgressResponse,
  key: string | undefined,
): { message: PlaygroundMessage; finish_reason: string } {
  const value = parse(body)
  if (status < 200 || status > 299) {
    const text = errorText(value, body)
    const redacted = key === undefined ? text : text.replaceAll(key, '[key]')
    throw failed(`The language model returned status ${status}${redacted && `: ${redacted}`}`)
  }
  const choice: unknown = isObject(value) && Array.isArray(value['choices']) ? value['choices'][0] : undefined
  const message = isObject(choice) ? choice['message'] : undefined
  if (!isObject(choice) || !isObject(message))
    throw failed('The language model returned a response without a message.')
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].map(readToolCall) : []
  if (calls.length > CALLS_MAX) throw failed(`The language model made more than ${CALLS_MAX} calls at once.`)
  const content = message['content'] ?? message['refusal']
  return {
    message: {
      role: 'assistant',
      content: typeof content === 'string' ? content.slice(0, TEXT_MAX) : null,
      ...(calls.length > 0 && { tool_calls: calls }),
    },
    finish_reason: typeof choice['finish_reason'] === 'string' ? choice['finish_reason'] : 'stop',
  }
}

function parse(body: Buffer): unknown {
  try {
    return parseBoundedJson(body.toString())
  } catch {
    return undefined
  }
}

function errorText(value: unknown, body: Buffer): string {
  const error = isObject(value) ? value['error'] : undefined
  const message = isObject(error) ? error['message'] : undefined
  return (typeof message === 'string' ? message : body.toString()).slice(0, ERROR_CHARACTERS_MAX).trim()
}

function readToolCall(call: unknown): NonNullable<PlaygroundMessage['tool_calls']>[number] {
  const { id, function: tool } = isObject(call) ? call : {}
  const { name, arguments: args } = isObject(tool) ? tool : {}
  const isValid =
    typeof id === 'string' &&
    id.length > 0 &&
    id.length <= NAME_MAX &&
    typeof name === 'string' &&
    name.length > 0 &&
    name.length <= NAME_MAX &&
    typeof args === 'string' &&
    args.length <= TEXT_MAX
  if (!isValid) throw failed('The language model returned an invalid call of a tool.')
  return { id, type: 'function', function: { name, arguments: args } }
}
