import type { JsonSchema } from '../../../catalog/index.ts'
import { CONVERSATION_FIELD, type MetaToolDefinition } from './definition.ts'
import { RECIPE_DEFINITIONS } from './recipe-definitions.ts'

// The input schemas are those of the contract, appendix A: plain objects with keywords that every model
// vendor accepts. A test compiles each for all of them.

const ITEMS_MAX = 50

const toolkits = (items: JsonSchema, description: string) => ({
  type: 'array',
  minItems: 1,
  maxItems: ITEMS_MAX,
  items,
  description,
})
const connections = (items: JsonSchema, description: string): JsonSchema => ({
  type: 'object',
  required: ['toolkits'],
  properties: {
    toolkits: toolkits(items, description),
    reinitiate_all: {
      type: 'boolean',
      default: false,
      description: 'Return a new link even for connected toolkits.',
    },
    ...CONVERSATION_FIELD,
  },
})
const TOOLKIT_SLUG = { type: 'string', description: 'Slug of a toolkit, e.g. gmail.' } as const
const CONNECTION_ACTION = {
  type: 'object',
  required: ['name'],
  properties: {
    name: TOOLKIT_SLUG,
    action: {
      type: 'string',
      enum: ['add', 'list', 'rename', 'remove'],
      default: 'add',
      description: 'add returns a link for one more account, list returns the existing accounts.',
    },
    account: { type: 'string', description: 'For rename and remove: id, word id or alias of the account.' },
    alias: {
      type: 'string',
      maxLength: 64,
      description: 'For add and rename: the name of the account.',
    },
  },
} as const

export const DEFINITIONS = {
  search: {
    slug: 'SERVICE_SEARCH_TOOLS',
    name: 'Search tools',
    tags: ['important', 'openWorldHint', 'readOnlyHint'],
    description:
      'Finds tools for tasks in plain words, one query per task, and returns what calling them needs: ' +
      'input schemas, which toolkits are connected, the order of calls, known pitfalls. ' +
      'Call it first, and again when the task changes. Never guess slugs of tools or arguments that it did not return.',
    input: {
      type: 'object',
      required: ['queries'],
      properties: {
        queries: {
          type: 'array',
          minItems: 1,
          maxItems: 10,
          description: 'One for each step that may need another tool.',
          items: {
            type: 'object',
            required: ['use_case'],
            properties: {
              use_case: {
                type: 'string',
                minLength: 1,
                maxLength: 1024,
                description:
                  'One task in English, as verb, object and application ("create an issue in GitHub"), ' +
                  'without personal values. Translate it if the user speaks another language.',
              },
              known_fields: {
                type: 'string',
                maxLength: 500,
                description: 'Known values, as name:value pairs separated by commas.',
              },
            },
          },
        },
        session: {
          type: 'object',
          description: 'Absent on the first call of a task; id afterwards.',
          properties: {
            id: { type: 'string', description: 'Id of the conversation.' },
          },
        },
        search_strategy: {
          type: 'string',
          enum: ['auto', 'tool_search'],
          default: 'auto',
          description: 'tool_search leaves plans out.',
        },
      },
    },
  },
  schemas: {
    slug: 'SERVICE_GET_TOOL_SCHEMAS',
    name: 'Get tool schemas',
    tags: ['readOnlyHint'],
    description:
      'Returns the input schemas of tools, for those that the search returned without one (schemaRef). ' +
      'Fetch a schema before the first call of its tool.',
    input: {
      type: 'object',
      required: ['tool_slugs'],
      properties: {
        tool_slugs: {
          type: 'array',
          minItems: 1,
          maxItems: ITEMS_MAX,
          items: { type: 'string' },
          description: 'Slugs as the search returned them.',
        },
        include: {
          type: 'array',
          items: { type: 'string', enum: ['input_schema', 'output_schema'] },
          default: ['input_schema'],
          description: 'The schemas to return for each tool.',
        },
        ...CONVERSATION_FIELD,
      },
    },
  },
  batch: {
    slug: 'SERVICE_MULTI_EXECUTE_TOOL',
    name: 'Execute tools',
    tags: ['important', 'openWorldHint', 'destructiveHint'],
    description:
      'Runs up to 50 tools at once. They must not depend on each other: call it again for a tool that ' +
      'needs an earlier result. Every item succeeds or fails separately, and the results have the order ' +
      'of the items. ' +
      'Pass only arguments of the schema of the tool. Ask the user before anything that deletes, pays, ' +
      'or sends to others.',
    input: {
      type: 'object',
      required: ['tools', 'sync_response_to_workbench'],
      properties: {
        tools: {
          type: 'array',
          minItems: 1,
          maxItems: ITEMS_MAX,
          description: 'The calls.',
          items: {
            type: 'object',
            required: ['tool_slug', 'arguments'],
            properties: {
              tool_slug: { type: 'string', minLength: 1, description: 'Slug as the search returned it.' },
              arguments: {
                type: 'object',
                additionalProperties: true,
                description: 'Arguments according to the input schema of the tool.',
              },
              account: {
                type: 'string',
                description: 'Id, word id or alias, where several accounts of the toolkit are connected.',
              },
            },
          },
        },
        sync_response_to_workbench: {
          type: 'boolean',
          description:
            'true: store the whole results in a file and return the beginning of each. Only for large data.',
        },
        memory: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' } },
          description:
            'Lasting facts to remember for this user, by toolkit, e.g. {"slack":["The channel #ops is ' +
            'C0123"]}. No secrets, no contents of messages.',
        },
        ...CONVERSATION_FIELD,
      },
    },
  },
  manage: {
    slug: 'SERVICE_MANAGE_CONNECTIONS',
    name: 'Manage connections',
    tags: ['openWorldHint', 'destructiveHint'],
    description:
      'Reports which toolkits are connected for the user, and returns a link for each that is not. Show ' +
      'the links to the user, and continue after the user has connected.',
    input: connections(TOOLKIT_SLUG, 'Slugs of toolkits.'),
    multiAccountInput: connections(CONNECTION_ACTION, 'The action for each toolkit.'),
    acceptedInput: connections({ anyOf: [TOOLKIT_SLUG, CONNECTION_ACTION] }, ''),
  },
  wait: {
    slug: 'SERVICE_WAIT_FOR_CONNECTIONS',
    name: 'Wait for connections',
    tags: ['readOnlyHint', 'idempotentHint'],
    description:
      'Waits up to 45 seconds until the user has connected the toolkits, and returns the status of each. ' +
      'Call it again while one is INITIATED.',
    input: {
      type: 'object',
      required: ['toolkits'],
      properties: {
        toolkits: toolkits({ type: 'string' }, 'Slugs of toolkits.'),
        mode: {
          type: 'string',
          enum: ['any', 'all'],
          default: 'all',
          description: 'Wait for the first, or for all.',
        },
        ...CONVERSATION_FIELD,
      },
    },
  },
  ...RECIPE_DEFINITIONS,
} as const satisfies Record<string, MetaToolDefinition>

/** Tools that run code. Without sandboxes on this server they are in no list, and a call is rejected. */
export const SANDBOX_META_TOOLS: readonly string[] = ['SERVICE_REMOTE_WORKBENCH', 'SERVICE_REMOTE_BASH_TOOL']
