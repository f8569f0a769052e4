import type { JsonSchema } from '../../../catalog/index.ts'

/** The argument with which a meta tool joins a conversation. */
export const CONVERSATION_FIELD = {
  session_id: { type: 'string', description: 'Conversation id that the search tool returned.' },
} as const

export interface MetaToolDefinition {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly input: JsonSchema
  /** The input in sessions with several accounts per toolkit. */
  readonly multiAccountInput?: JsonSchema
  /** Both forms of the input: models mix them up. */
  readonly acceptedInput?: JsonSchema
}
