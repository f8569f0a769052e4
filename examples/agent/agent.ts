import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js'

/** A tool as a model receives it. */
export interface Tool {
  name: string
  description: string
  input: Record<string, unknown>
}
export interface Call {
  id: string
  name: string
  arguments: Record<string, unknown>
}
/** What is decided at a turn: something to say, calls to make. Without calls the task has ended. */
export interface Turn {
  say?: string
  calls: readonly Call[]
}
export type Message =
  | { role: 'user'; text: string }
  | { role: 'assistant'; turn: Turn }
  | { role: 'tool'; id: string; name: string; text: string }
/** Decides the next turn: a language model, or a script. */
export type Think = (messages: readonly Message[], tools: readonly Tool[]) => Promise<Turn>
/** The person the agent works for: reads its messages, and opens the links in them before it continues. */
export type Person = (text: string) => Promise<void>

const TURNS_MAX = 20
const RESULT_MAX = 40_000

/** An agent that has nothing but an MCP server. Answers what it said last. @throws when it does not come to an end */
export async function runAgent({
  client,
  task,
  think,
  person,
}: {
  client: Client
  task: string
  think: Think
  person: Person
}): Promise<string> {
  const tools = await listTools(client)
  const instructions = client.getInstructions()
  const messages: Message[] = [{ role: 'user', text: [instructions, task].filter(Boolean).join('\n\n') }]
  for (let count = 0; count < TURNS_MAX; count++) {
    const turn = await think(messages, tools)
    messages.push({ role: 'assistant', turn })
    if (turn.say) await person(turn.say)
    if (!turn.calls.length) return turn.say ?? ''
    for (const call of turn.calls)
      messages.push({
        role: 'tool',
        id: call.id,
        name: call.name,
        text: (await answerTo(client, call, person)).slice(0, RESULT_MAX),
      })
  }
  throw new Error(`The task was not done after ${TURNS_MAX} turns.`)
}

async function listTools(client: Client): Promise<Tool[]> {
  const tools: Tool[] = []
  let cursor: string | undefined
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor })
    tools.push(
      ...page.tools.map(({ name, description = '', inputSchema }) => ({
        name,
        description,
        input: inputSchema,
      })),
    )
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return tools
}

/**
 * What a call answers, as text. Where an address has to be visited first the person is shown it, and the call
 * is made again.
 */
async function answerTo(client: Client, call: Call, person: Person, mayAsk = true): Promise<string> {
  try {
    const { content } = await client.callTool({ name: call.name, arguments: call.arguments })
    return (content as { type: string; text?: string }[]).map(({ text = '' }) => text).join('\n')
  } catch (error) {
    if (!(error instanceof UrlElicitationRequiredError) || !mayAsk)
      return error instanceof Error ? error.message : String(error)
    for (const { message, url } of error.elicitations) await person(`${message} ${url}`)
    return answerTo(client, call, person, false)
  }
}
