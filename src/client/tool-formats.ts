import type { Tool } from './generated/types.ts'

export type JsonSchema = Record<string, unknown>

export interface OpenAiTool {
  type: 'function'
  function: { name: string; description: string; parameters: JsonSchema; strict?: boolean }
}
export interface OpenAiResponsesTool {
  type: 'function'
  name: string
  description: string
  parameters: JsonSchema
  strict: boolean
}
export interface AnthropicTool {
  name: string
  description: string
  input_schema: JsonSchema & { type: 'object' }
}
export interface GoogleFunction {
  name: string
  description: string
  parametersJsonSchema: JsonSchema
}
export interface GoogleTool {
  functionDeclarations: GoogleFunction[]
}
/** A tool of the AI SDK, version 4 or later. */
export interface AiSdkTool {
  description: string
  /**
   * The value of `parameters`. Schemas of the AI SDK have a symbol that only its module can name; a value of the type
   * `never` is accepted as one.
   */
  inputSchema: never
  /** The name of `inputSchema` in version 4. */
  parameters: AiSdkSchema
  execute(input: unknown, options?: { abortSignal?: AbortSignal | undefined }): Promise<unknown>
}
/** What `jsonSchema()` of the AI SDK returns. Symbols of the global registry mark it. */
export interface AiSdkSchema {
  readonly _type: never
  readonly jsonSchema: JsonSchema
  readonly validate: undefined
}

export const toOpenAiTool = ({ slug, description, input_parameters }: Tool, strict: boolean): OpenAiTool => ({
  type: 'function',
  function: {
    name: slug,
    description,
    parameters: input_parameters as JsonSchema,
    ...(strict ? { strict: true } : {}),
  },
})

export const toOpenAiResponsesTool = (
  { slug, description, input_parameters }: Tool,
  strict: boolean,
): OpenAiResponsesTool => ({
  type: 'function',
  name: slug,
  description,
  parameters: input_parameters as JsonSchema,
  strict,
})

export const toAnthropicTool = ({ slug, description, input_parameters }: Tool): AnthropicTool => ({
  name: slug,
  description,
  input_schema: input_parameters as AnthropicTool['input_schema'],
})

export const toGoogleTool = ({ slug, description, input_parameters }: Tool): GoogleFunction => ({
  name: slug,
  description,
  parametersJsonSchema: input_parameters as JsonSchema,
})

export function toAiSdkTool(
  { description, input_parameters }: Tool,
  execute: (input: unknown, signal: AbortSignal | undefined) => Promise<unknown>,
): AiSdkTool {
  const schema: AiSdkSchema = {
    [Symbol.for('vercel.ai.schema')]: true,
    [Symbol.for('vercel.ai.validator')]: true,
    _type: undefined as never,
    jsonSchema: input_parameters as JsonSchema,
    validate: undefined,
  }
  return {
    description,
    inputSchema: schema as never,
    parameters: schema,
    execute: (input, { abortSignal } = {}) => execute(input, abortSignal),
  }
}
