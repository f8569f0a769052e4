import type { ApiVersion, Route } from '../../contract/route.ts'
import { callApi, CallError } from '../api-client/call.ts'
import type { Connection } from '../api-client/connection.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Io } from '../io.ts'
import {
  directTools,
  findOperation,
  MissingInput,
  type OperationTool,
  searchOperations,
  toRequest,
  UnknownInput,
} from './operations.ts'

export interface ManagementOptions {
  io: Io
  connection: Connection
  version: ApiVersion
  programVersion: string
  /** Leaves out every operation that changes something. */
  isReadOnly: boolean
}

interface ToolResult {
  content: { type: 'text'; text: string }[]
  isError?: boolean
}

export const INSTRUCTIONS =
  'Manages a Patchbay project: applications (toolkits), how users sign in to them (auth configs), connected ' +
  'accounts, tools, policies, triggers, webhooks, MCP servers, sessions and logs. To let a user connect an ' +
  'application: toolkits_setup, auth_configs_create, connected_accounts_link. For anything without a tool of its ' +
  'own, use find_operations, then describe_operation, then call_operation. The permissions of the API key apply.'

const FIND = {
  name: 'find_operations',
  description:
    'Finds operations of the API by words, such as "rotate webhook secret". Returns their ids and titles.',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', maxLength: 500, description: 'Words of what you want to do.' } },
    required: ['text'],
  },
  annotations: { readOnlyHint: true },
} as const

const DESCRIBE = {
  name: 'describe_operation',
  description: 'Returns the description and the inputs of one operation, with an example.',
  inputSchema: {
    type: 'object',
    properties: {
      operation: { type: 'string', maxLength: 100, description: 'Id from find_operations.' },
    },
    required: ['operation'],
  },
  annotations: { readOnlyHint: true },
} as const

const CALL = {
  name: 'call_operation',
  description: 'Calls one operation of the API. Use describe_operation first to see its inputs.',
  inputSchema: {
    type: 'object',
    properties: {
      operation: { type: 'string', maxLength: 100, description: 'Id from find_operations.' },
      inputs: { type: 'object', description: 'Inputs of the operation.', additionalProperties: true },
    },
    required: ['operation'],
  },
} as const

const annotationsOf = ({ method }: Route) => ({
  readOnlyHint: method === 'GET',
  destructiveHint: method === 'DELETE',
  idempotentHint: method !== 'POST',
})

/** Returns what `tools/list` and `tools/call` respond with. */
export function createManagement(options: ManagementOptions) {
  const direct = directTools(options.isReadOnly)
  const byName = new Map(direct.map((tool) => [tool.name, tool]))
  const own: Readonly<
    Record<string, (args: Readonly<Record<string, unknown>>) => ToolResult | Promise<ToolResult>>
  > = {
    find_operations: ({ text }) => find(String(text ?? ''), options),
    describe_operation: ({ operation }) => describe(String(operation ?? ''), options),
    call_operation: ({ operation, inputs }) => callById(String(operation ?? ''), inputs, options),
  }
  return {
    list: () => [
      ...direct.map(({ name, description, inputSchema, route }) => ({
        name,
        description,
        inputSchema,
        annotations: annotationsOf(route),
      })),
      FIND,
      DESCRIBE,
      CALL,
    ],
    async call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult | undefined> {
      const tool = byName.get(name)
      if (tool) return callTool(tool, args, options)
      return Object.hasOwn(own, name) ? own[name]!(args) : undefined
    },
  }
}

const result = (value: unknown): ToolResult => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
})
const failure = (message: string): ToolResult => ({ ...result(message), isError: true })

function find(text: string, { isReadOnly }: ManagementOptions): ToolResult {
  const found = searchOperations(text, isReadOnly)
  if (found.length === 0)
    return failure('No operation matches. Use other words, such as the name of a resource.')
  return result(found.map(({ id, summary, method }) => ({ operation: id, title: summary, method })))
}

function describe(id: string, { isReadOnly }: ManagementOptions): ToolResult {
  const tool = findOperation(id, isReadOnly)
  if (!tool) return unknownOperation(id, isReadOnly)
  const { route, description, inputSchema } = tool
  const { params, query, body } = route.example
  const example = { ...params, ...query, ...(body as object | undefined) }
  return result({
    operation: id,
    description,
    permission: route.permission ?? null,
    input: inputSchema,
    example,
  })
}

function unknownOperation(id: string, isReadOnly: boolean): ToolResult {
  const near = searchOperations(id.replaceAll('.', ' '), isReadOnly).slice(0, 3)
  const hint = near.length > 0 ? ` Did you mean ${near.map((route) => route.id).join(', ')}?` : ''
  return failure(`There is no operation "${id.slice(0, 100)}".${hint}`)
}

async function callById(id: string, inputs: unknown, options: ManagementOptions): Promise<ToolResult> {
  const tool = findOperation(id, options.isReadOnly)
  if (!tool) return unknownOperation(id, options.isReadOnly)
  if (inputs !== undefined && (typeof inputs !== 'object' || inputs === null || Array.isArray(inputs)))
    return failure('inputs must be an object.')
  return callTool(tool, (inputs ?? {}) as Record<string, unknown>, options)
}

/** Calls the API. Every failure is a result: the model reads the message and corrects its call. */
async function callTool(
  tool: OperationTool,
  inputs: Readonly<Record<string, unknown>>,
  { io, connection, version }: ManagementOptions,
): Promise<ToolResult> {
  try {
    const { status, body } = await callApi(io, connection, tool.route, version, toRequest(tool, inputs))
    return status < 400 ? result(body) : { ...result(body), isError: true }
  } catch (error) {
    if (error instanceof UnknownInput || error instanceof MissingInput) return failure(error.message)
    if (error instanceof CallError || error instanceof UsageError)
      return failure(`${error.message} ${error.fix}`)
    throw error
  }
}
