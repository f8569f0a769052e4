import type { Product } from '../execute/processes.ts'
import { postJson } from '../post.ts'

export const USER = 'u-17'

interface CellReply {
  data: { results: string }
  error: string | null
}

/** Calls the product as an agent does. */
export function callerOf(server: Pick<Product, 'url' | 'key'>) {
  return {
    openSession: async (): Promise<string> =>
      (await postJson<{ session_id: string }>(server, '/tool_router/session', { user_id: USER })).session_id,
    /** Runs a cell of Python. Returns the milliseconds that the client waited, and the value of the last expression. */
    async runCell(session: string, code: string): Promise<{ milliseconds: number; results: string }> {
      const startedAt = performance.now()
      const { data, error } = await postJson<CellReply>(server, `/tool_router/session/${session}/execute`, {
        tool_slug: 'SERVICE_REMOTE_WORKBENCH',
        arguments: { code_to_execute: code },
      })
      if (error) throw new Error(error)
      return { milliseconds: performance.now() - startedAt, results: data.results }
    },
    /** Runs a tool without the workbench. Returns the milliseconds that the client waited. */
    async execute(session: string, slug: string, args: object): Promise<number> {
      const startedAt = performance.now()
      const { error } = await postJson<CellReply>(server, `/tool_router/session/${session}/execute`, {
        tool_slug: slug,
        arguments: args,
      })
      if (error) throw new Error(error)
      return performance.now() - startedAt
    },
  }
}
