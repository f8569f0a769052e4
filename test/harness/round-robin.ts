import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { InjectOptions } from 'fastify'
import type { TestApp } from './app.ts'

/** Several servers of one database behind one address: each request goes to the next, whoever sends it. */
export function roundRobin(apps: readonly Pick<TestApp, 'app'>[]) {
  let turn = 0
  const next = () => apps[turn++ % apps.length]!.app.http
  return {
    inject: (options: InjectOptions) => next().inject(options),

    /** Answers the address of a proxy before them. */
    async listen(t: TestContext): Promise<string> {
      for (const {
        app: { http },
      } of apps)
        await http.listen({ host: '127.0.0.1', port: 0 })
      const proxy = createServer((incoming, outgoing) => {
        const { port } = next().server.address() as AddressInfo
        const onward = request(
          { host: '127.0.0.1', port, path: incoming.url, method: incoming.method, headers: incoming.headers },
          (answer) => {
            outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
            answer.pipe(outgoing)
          },
        )
        onward.on('error', () => outgoing.destroy())
        outgoing.on('close', () => onward.destroy())
        incoming.pipe(onward)
      })
      proxy.listen(0, '127.0.0.1')
      await once(proxy, 'listening')
      t.after(() => {
        proxy.closeAllConnections()
        proxy.close()
      })
      return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    },
  }
}
