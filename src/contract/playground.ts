import { type Static, Type } from './schema-type.ts'
import { Described, Enum, Nullable, Open, Timestamp, Url } from './common.ts'
import { route } from './route.ts'

// An extension of this server: agents that run in the console.
const ModelName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name of the model.',
  examples: ['gpt-5-mini'],
})

export const ProjectModel = Type.Object(
  {
    base_url: Described(Url, 'URL of an OpenAI-compatible API, with its version.'),
    model: ModelName,
    has_api_key: Type.Boolean({ description: 'Whether a key is stored. It is never returned.' }),
    updated_at: Described(Timestamp, 'When the model was last changed.'),
  },
  { $id: 'ProjectModel' },
)
export type ProjectModel = Static<typeof ProjectModel>

const Reply = Type.Object({
  model: Nullable(Described(ProjectModel, 'The model; null if none is set.'), {
    description: 'The model; null if none is set.',
  }),
})

export const readModel = route({
  id: 'playground.readModel',
  method: 'GET',
  path: '/org/project/model',
  summary: 'Read the language model of the playground',
  description:
    'An extension of this server. Returns the language model with which agents run in the playground of the console, ' +
    'without its key.',
  audience: 'project',
  permission: { area: 'sessions', level: 'read' },
  reply: Reply,
})

export const setModel = route({
  id: 'playground.setModel',
  method: 'PUT',
  path: '/org/project/model',
  summary: 'Set the language model of the playground',
  description:
    'An extension of this server. Stores URL, model and key; the key is encrypted and never returned. Without ' +
    '`api_key` the stored key stays, unless the URL changes: a key is sent only to the URL that it was stored with.',
  example: { body: { base_url: 'https://api.openai.com/v1', model: 'gpt-5-mini', api_key: 'sk-example' } },
  audience: 'project',
  body: Type.Object({
    base_url: Described(
      Url,
      'URL of an OpenAI-compatible API, with its version. Requests go to `/chat/completions` below it.',
    ),
    model: ModelName,
    api_key: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 1_000,
          pattern: '^[\\x21-\\x7e]+$',
          description: 'Key of the API, sent as `Authorization: Bearer`; null for none.',
        }),
        { description: 'Key of the API, sent as `Authorization: Bearer`; null for none.' },
      ),
    ),
  }),
  reply: Reply,
})

export const deleteModel = route({
  id: 'playground.deleteModel',
  method: 'DELETE',
  path: '/org/project/model',
  summary: 'Remove the language model of the playground',
  description: 'An extension of this server. Removes the language model of the project and its key.',
  example: {},
  audience: 'project',
  reply: Type.Object({ success: Type.Boolean({ description: 'Always true.' }) }),
})

const TEXT_MAX = 400_000
const Id = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Id of the call, which the model chose.',
})

const ToolCall = Type.Object({
  id: Id,
  type: Enum(['function'], { description: 'Always `function`.' }),
  function: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the tool.' }),
      arguments: Type.String({ maxLength: TEXT_MAX, description: 'Arguments as JSON text.' }),
    },
    { description: 'The tool and its arguments.' },
  ),
})

const Message = Type.Object({
  role: Enum(['system', 'user', 'assistant', 'tool'], { description: 'Who wrote the message.' }),
  content: Nullable(
    Type.String({ maxLength: TEXT_MAX, description: 'Text of the message; null for none.' }),
    {
      description: 'Text of the message; null for none.',
    },
  ),
  tool_calls: Type.Optional(
    Type.Array(ToolCall, { maxItems: 64, description: 'Calls that the model makes in this message.' }),
  ),
  tool_call_id: Type.Optional(Described(Id, 'Id of the call that a message of the role `tool` answers.')),
})
export type PlaygroundMessage = Static<typeof Message>

export const chat = route({
  id: 'playground.chat',
  audit: false,
  method: 'POST',
  path: '/playground/chat',
  summary: 'Get the next message of the language model',
  description:
    'An extension of this server. Sends a conversation and tools to the language model of the project, and returns ' +
    'its next message. The caller runs the tools, for example with `sessions.execute`, and sends their results in ' +
    'the next call. Nothing is stored.',
  example: {
    body: { messages: [{ role: 'user', content: 'What time is it in Paris?' }], tools: [] },
    needs: 'a language model',
  },
  audience: 'project',
  permission: { area: 'sessions', level: 'write' },
  body: Type.Object({
    messages: Type.Array(Message, { minItems: 1, maxItems: 200, description: 'The conversation so far.' }),
    tools: Type.Optional(
      Type.Array(
        Type.Object({
          type: Enum(['function'], { description: 'Always `function`.' }),
          function: Type.Object(
            {
              name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the tool.' }),
              description: Type.Optional(
                Type.String({ maxLength: 20_000, description: 'What the tool does.' }),
              ),
              parameters: Type.Optional(Open({}, { description: 'JSON Schema of the arguments.' })),
            },
            { description: 'The tool.' },
          ),
        }),
        { maxItems: 128, description: 'Tools that the model may call.' },
      ),
    ),
  }),
  reply: Type.Object({
    message: Described(Message, 'The next message, of the role `assistant`.'),
    finish_reason: Type.String({ description: 'Why the message ends, as the API of the model says.' }),
  }),
  errors: ['Playground_NoModel', 'Playground_ModelFailed'],
})
