import { randomName } from '../../../platform/random-name.ts'

const CONVERSATION_ID = /^[a-z][a-z0-9_-]{1,40}$/

/**
 * Identifies the calls of one task. It is not stored: any id of the caller is accepted, else a new one is
 * generated.
 */
export interface Conversation {
  id: string
  generate_id?: boolean
  instructions: string
}

export function readConversation(
  requestedId: unknown,
  { generated }: { generated?: boolean } = {},
): Conversation {
  const known = typeof requestedId === 'string' && CONVERSATION_ID.test(requestedId) ? requestedId : undefined
  const id = known ?? randomName('-')
  return {
    id,
    ...(generated === undefined ? {} : { generate_id: known === undefined }),
    instructions: `Pass session_id "${id}" to every further meta tool call of this task.`,
  }
}
