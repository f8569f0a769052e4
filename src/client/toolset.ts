import type { Tool } from './generated/types.ts'
import type { RequestOptions } from './http.ts'
import type { RequestOf, ResponseOf } from './types.ts'
import {
  type AiSdkTool,
  type AnthropicTool,
  type GoogleTool,
  type OpenAiResponsesTool,
  type OpenAiTool,
  toAiSdkTool,
  toAnthropicTool,
  toGoogleTool,
  toOpenAiResponsesTool,
  toOpenAiTool,
} from './tool-formats.ts'

export interface ToolsetOptions {
  /** The user for whom the tools run. */
  userId: string
  /** Slugs of toolkits. */
  toolkits?: readonly string[] | undefined
  /** Slugs of tools. They override the other filters. */
  tools?: readonly string[] | undefined
  /** Only tools with one of these tags. */
  tags?: readonly string[] | undefined
  /** Words that describe what the tools do. */
  query?: string | undefined
  /** Connected accounts by the slug of their toolkit. Default: the account that the user connected last. */
  connectedAccounts?: Readonly<Record<string, string>> | undefined
  /** Largest number of tools. Default 100: models choose badly among more. */
  limit?: number | undefined
}

type Dialect = NonNullable<RequestOf<'tools.list'>['dialect']>
export type ToolResult = ResponseOf<'tools.execute'>

/** The part of the client that a toolset uses. */
export interface ToolsetClient {
  list(request: RequestOf<'tools.list'>): AsyncIterable<Tool>
  execute(request: RequestOf<'tools.execute'>, options?: RequestOptions): Promise<ToolResult>
}

/** A call of a tool in a message of OpenAI's Chat Completions. */
interface OpenAiToolCall {
  id: string
  type?: string
  function?: { name: string; arguments: string }
}
/** A block of a message of Anthropic. */
interface AnthropicBlock {
  type: string
  id?: string
  name?: string
  input?: unknown
}
/** A function call of Gemini. */
interface GoogleFunctionCall {
  id?: string | undefined
  name?: string | undefined
  args?: Record<string, unknown> | undefined
}

/** The function `tool` of `@langchain/core/tools`. */
type LangChainToolFunction<T> = (
  run: (input: never) => Promise<string>,
  fields: { name: string; description: string; schema: never },
) => T

const LIMIT = 100

/** Tools of a user, in the formats of model vendors and frameworks, and the execution of the calls of a model. */
export class Toolset {
  readonly #client: ToolsetClient
  readonly #options: ToolsetOptions
  readonly #lists = new Map<Dialect | undefined, Promise<Tool[]>>()

  constructor(client: ToolsetClient, options: ToolsetOptions) {
    this.#client = client
    this.#options = options
  }

  /** Returns the tools as the API describes them, with parameters as JSON Schema. */
  list(): Promise<Tool[]> {
    return this.#list(undefined)
  }

  /** Returns tools for OpenAI's Chat Completions. `strict` makes the model follow the schema exactly. */
  async openai({ strict = false }: { strict?: boolean } = {}): Promise<OpenAiTool[]> {
    return (await this.#list(strict ? 'openai_strict' : 'openai')).map((tool) => toOpenAiTool(tool, strict))
  }

  /** Returns tools for OpenAI's Responses API. */
  async openaiResponses({ strict = false }: { strict?: boolean } = {}): Promise<OpenAiResponsesTool[]> {
    const tools = await this.#list(strict ? 'openai_strict' : 'openai')
    return tools.map((tool) => toOpenAiResponsesTool(tool, strict))
  }

  /** Returns tools for Anthropic's Messages API. */
  async anthropic(): Promise<AnthropicTool[]> {
    return (await this.#list('anthropic')).map(toAnthropicTool)
  }

  /** Returns tools for Google's Gemini API. */
  async google(): Promise<GoogleTool[]> {
    return [{ functionDeclarations: (await this.#list('gemini')).map(toGoogleTool) }]
  }

  /** Returns tools for the AI SDK (`generateText`, `streamText`), which executes their calls itself. */
  async aiSdk(): Promise<Record<string, AiSdkTool>> {
    const tools = await this.#list('openai')
    return Object.fromEntries(
      tools.map((tool) => [
        tool.slug,
        toAiSdkTool(tool, (input, signal) => this.execute(tool.slug, input, { signal })),
      ]),
    )
  }

  /**
   * Returns tools for LangChain, which executes their calls itself.
   * @param tool the function `tool` of `@langchain/core/tools`
   */
  async langchain<T>(tool: LangChainToolFunction<T>): Promise<T[]> {
    return (await this.#list('openai')).map(({ slug, description, input_parameters: schema }) =>
      tool(async (input) => toResultText(await this.execute(slug, input)), {
        name: slug,
        description,
        schema: schema as never,
      }),
    )
  }

  /** Executes a tool. A failure of the tool is a result with `successful: false`. */
  async execute(slug: string, input: unknown, options?: RequestOptions): Promise<ToolResult> {
    const { userId, connectedAccounts = {} } = this.#options
    const names = Object.keys(connectedAccounts)
    const toolkit = names.length > 0 ? await this.#toolkitOf(slug) : undefined
    const account = names.find((name) => name.toLowerCase() === toolkit)
    return this.#client.execute(
      {
        tool_slug: slug,
        user_id: userId,
        arguments: (input ?? {}) as Record<string, unknown>,
        ...(account === undefined ? {} : { connected_account_id: connectedAccounts[account] as string }),
      },
      options,
    )
  }

  /** Runs the tool calls of an assistant message of OpenAI. Returns the messages to append. */
  runOpenAiToolCalls(message: { tool_calls?: readonly OpenAiToolCall[] | null | undefined }) {
    const calls = (message.tool_calls ?? []).filter((call) => call.function !== undefined)
    return Promise.all(
      calls.map(async ({ id, function: called }) => ({
        role: 'tool' as const,
        tool_call_id: id,
        content: await this.#run(called?.name ?? '', () => JSON.parse(called?.arguments || '{}')),
      })),
    )
  }

  /** Runs the tool calls of a message of Anthropic. Returns the blocks of the next message of the user. */
  runAnthropicToolCalls(message: { content: readonly AnthropicBlock[] }) {
    const calls = message.content.filter(({ type }) => type === 'tool_use')
    return Promise.all(
      calls.map(async ({ id = '', name = '', input }) => ({
        type: 'tool_result' as const,
        tool_use_id: id,
        content: await this.#run(name, () => input),
      })),
    )
  }

  /** Runs the function calls of a response of Gemini. Returns the parts of the next message. */
  runGoogleFunctionCalls(calls: readonly GoogleFunctionCall[] = []) {
    return Promise.all(
      calls.map(async ({ id, name = '', args }) => ({
        functionResponse: {
          ...(id === undefined ? {} : { id }),
          name,
          response: { output: await this.#run(name, () => args) },
        },
      })),
    )
  }

  /** A failed call is a text for the model, which can try something else. */
  async #run(slug: string, readInput: () => unknown): Promise<string> {
    try {
      return toResultText(await this.execute(slug, readInput()))
    } catch (error) {
      return JSON.stringify({ error: error instanceof Error ? error.message : String(error) })
    }
  }

  async #toolkitOf(slug: string): Promise<string | undefined> {
    const tools = await Promise.all(this.#lists.values())
    const tool =
      tools.flat().find((one) => one.slug === slug) ?? (await this.list()).find((one) => one.slug === slug)
    return tool?.toolkit.slug
  }

  #list(dialect: Dialect | undefined): Promise<Tool[]> {
    const known = this.#lists.get(dialect)
    if (known) return known
    const list = this.#fetchTools(dialect)
    this.#lists.set(dialect, list)
    // A failed list is requested again by the next call.
    list.catch(() => this.#lists.delete(dialect))
    return list
  }

  async #fetchTools(dialect: Dialect | undefined): Promise<Tool[]> {
    const { toolkits, tools, tags, query, limit = LIMIT } = this.#options
    if (!toolkits?.length && !tools?.length && !tags?.length && !query)
      throw new TypeError('Select tools: pass toolkits, tools, tags or query.')
    const found: Tool[] = []
    const pages = this.#client.list({
      ...(toolkits?.length ? { toolkit_slug: [...toolkits] } : {}),
      ...(tools?.length ? { tool_slugs: [...tools] } : {}),
      ...(tags?.length ? { tags: [...tags] } : {}),
      ...(query ? { query } : {}),
      ...(dialect ? { dialect } : {}),
      limit: Math.min(limit, 1_000),
    })
    for await (const tool of pages) {
      if (found.length >= limit) break
      found.push(tool)
    }
    return found
  }
}

/** Returns the result for a model: the data, or the error. */
const toResultText = ({ successful, data, error }: ToolResult): string =>
  JSON.stringify(successful ? data : { error, ...data })
