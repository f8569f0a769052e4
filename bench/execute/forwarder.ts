import Fastify from 'fastify'
import { Agent, request } from 'undici'

// The baseline: take a call, ask the upstream, answer. No key, no account, no check, no log.
const upstream = process.argv[2] as string
const dispatcher = new Agent({ connections: 128 })
const app = Fastify()
app.post<{ Body: { arguments: { object_id: string } } }>('/execute', async ({ body }) => {
  const answer = await request(`${upstream}/classes/Score/${encodeURIComponent(body.arguments.object_id)}`, {
    dispatcher,
  })
  return { data: await answer.body.json(), successful: true }
})
await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.(app.server.address())
