import type { Product } from '../execute/processes.ts'

export const USER = 'u-17'

/** Calls the product as an agent does. */
export function callerOf({ url, key }: Pick<Product, 'url' | 'key'>) {
  const post = async (path: string, body: object): Promise<any> => {
    const reply = await fetch(`${url}/api/v3.1${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return reply.json()
  }
  return {
    openSession: async (): Promise<string> =>
      ((await post('/tool_router/session', { user_id: USER })) as { session_id: string }).session_id,
    /** Runs a cell of Python. Returns the milliseconds that the client waited, and the value of the last expression. */
    async runCell(session: string, code: string): Promise<{ milliseconds: number; results: string }> {
      const startedAt = performance.now()
      const { data, error } = await post(`/tool_router/session/${session}/execute`, {
        tool_slug: 'SERVICE_REMOTE_WORKBENCH',
        arguments: { code_to_execute: code },
      })
      if (error) throw new Error(error)
      return { milliseconds: performance.now() - startedAt, results: data.results }
    },
    /** Runs a tool without the workbench. Returns the milliseconds that the client waited. */
    async execute(session: string, slug: string, args: object): Promise<number> {
      const startedAt = performance.now()
      const { error } = await post(`/tool_router/session/${session}/execute`, {
        tool_slug: slug,
        arguments: args,
      })
      if (error) throw new Error(error)
      return performance.now() - startedAt
    },
  }
}
