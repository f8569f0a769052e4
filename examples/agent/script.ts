import type { Call, Message, Think, Turn } from './agent.ts'

/** A task whose words a script knows: what to look for, and what the tool that is found is given. */
export interface Script {
  useCase: string
  arguments: Record<string, unknown>
  /** Says what came of it. */ conclude(data: Record<string, any>): string
}
type Data = Record<string, any>
type Step = (script: Script, data: Data, seen: ReadonlyMap<string, Data>) => Turn

let calls = 0
const call = (name: string, args: Record<string, unknown>): Call => ({
  id: `call_${++calls}`,
  name,
  arguments: args,
})
const turn = (say: string | undefined, ...list: Call[]): Turn => ({
  ...(say === undefined ? {} : { say }),
  calls: list,
})

/** What follows the answer of each tool. Every decision is made from what tools answered, as a model makes it. */
const AFTER: Readonly<Record<string, Step>> = {
  SEARCH_TOOLS(script, data, seen) {
    const missing = (data['toolkit_connection_statuses'] as Data[]).filter(
      ({ toolkit, has_active_connection: has }) => !has && data['results'][0].toolkits.includes(toolkit),
    )
    if (!missing.length) return execute(script, seen)
    return turn(
      undefined,
      call('SERVICE_MANAGE_CONNECTIONS', {
        toolkits: missing.map(({ toolkit }) => toolkit),
        session_id: data['session'].id,
      }),
    )
  },
  MANAGE_CONNECTIONS(_script, data) {
    const links = (Object.values(data['results']) as Data[]).filter((one) => one['redirect_url'])
    return turn(
      links.map((one) => `Please connect ${one['toolkit']}: ${one['redirect_url']}`).join('\n'),
      call('SERVICE_WAIT_FOR_CONNECTIONS', {
        toolkits: links.map((one) => one['toolkit']),
        session_id: data['session'].id,
      }),
    )
  },
  WAIT_FOR_CONNECTIONS(script, data, seen) {
    const open = (Object.values(data['results']) as Data[]).find(({ status }) => status !== 'ACTIVE')
    return open ? turn(`I cannot continue: ${open['toolkit']} is ${open['status']}.`) : execute(script, seen)
  },
  MULTI_EXECUTE_TOOL(script, data) {
    const [{ response }] = data['results'] as [{ response: Data }]
    return turn(
      response['successful'] ? script.conclude(response['data']) : `It did not work: ${response['error']}`,
    )
  },
}

function execute({ arguments: args }: Script, seen: ReadonlyMap<string, Data>): Turn {
  const found = seen.get('SEARCH_TOOLS')!
  return turn(
    undefined,
    call('SERVICE_MULTI_EXECUTE_TOOL', {
      tools: [{ tool_slug: found['results'][0].primary_tool_slugs[0], arguments: args }],
      sync_response_to_workbench: false,
      session_id: found['session'].id,
    }),
  )
}

/**
 * Replaces a language model where none is configured: finds the tool, has its user connect, runs it and reads
 * the result.
 */
export function scripted(script: Script): Think {
  return async (messages) => {
    const answers = messages
      .filter((one): one is Message & { role: 'tool' } => one.role === 'tool')
      .map(({ name, text }) => ({ name: name.replace('SERVICE_', ''), text }))
    const last = answers.at(-1)
    if (!last)
      return turn(
        undefined,
        call('SERVICE_SEARCH_TOOLS', {
          queries: [{ use_case: script.useCase }],
          session: { generate_id: true },
        }),
      )
    const seen = new Map(
      answers.flatMap(({ name, text }) => {
        const data = read(text)
        return data ? [[name, data] as const] : []
      }),
    )
    const data = read(last.text)
    return data ? AFTER[last.name]!(script, data, seen) : turn(`I cannot continue: ${last.text}`)
  }
}

/** The data of a result; undefined for a failure. */
function read(text: string): Data | undefined {
  try {
    return (JSON.parse(text) as { data?: Data; successful?: boolean }).data
  } catch {
    return undefined
  }
}
