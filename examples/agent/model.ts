import type { Message, Think, Tool } from './agent.ts'

export interface ModelSettings {
  baseUrl: string
  model: string
  apiKey: string | undefined
}
interface ChatCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}
interface ChatReply {
  choices?: [{ message?: { content?: string | null; tool_calls?: ChatCall[] } }]
}

const TIMEOUT_MS = 120_000

/** Any model behind an OpenAI-compatible API that can call tools. */
export const modelled =
  ({ baseUrl, model, apiKey }: ModelSettings): Think =>
  async (messages, tools) => {
    const reply = await fetch(`${baseUrl.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'content-type': 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, messages: messages.map(asChat), tools: tools.map(asFunction) }),
    })
    if (!reply.ok) throw new Error(`The model answers ${reply.status}: ${(await reply.text()).slice(0, 500)}`)
    const message = ((await reply.json()) as ChatReply).choices?.[0]?.message
    if (!message) throw new Error('The model answers without a message.')
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => ({
      id,
      name,
      arguments: argumentsIn(text),
    }))
    return { ...(message.content ? { say: message.content } : {}), calls }
  }

const asFunction = ({ name, description, input }: Tool) => ({
  type: 'function',
  function: { name, description, parameters: input },
})

function asChat(message: Message) {
  if (message.role === 'user') return { role: 'user', content: message.text }
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.id, content: message.text }
  const { say, calls } = message.turn
  return {
    role: 'assistant',
    content: say ?? null,
    ...(calls.length
      ? {
          tool_calls: calls.map(({ id, name, arguments: args }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          })),
        }
      : {}),
  }
}

/** Models write arguments as text, and sometimes wrongly; the tool then says what it lacks. */
function argumentsIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}
