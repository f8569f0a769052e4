import { isIP } from 'node:net'
import { createEgress, parseAllowRules } from '../../platform/egress/index.ts'
import { findLockHolder } from '../../platform/instance-lock.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { reservePort } from '../../server/port.ts'
import { type Check, fail, ok, skip, warn } from './check.ts'

const ANSWER_MS = 3_000

export const serverChecks: Check[] = [
  {
    name: 'server',
    needsConfig: true,
    async run(found) {
      const { databaseUrl, dataDir, host, port, role } = found.config!
      const holder = databaseUrl ? 'nobody' : await findLockHolder(dataDir).catch(() => 'nobody' as const)
      const address = `http://${host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : isIP(host) === 6 ? `[${host}]` : host}:${port}`
      const ready = port === 0 ? undefined : await get(`${address}/readyz`)
      const isOurs = ready !== undefined && /"checks":\{"database"/.test(ready.text)
      if (holder !== 'nobody') {
        found.running = holder ?? 'unknown'
        if (!holder)
          return fail(
            'a process holds the data directory and does not answer',
            'Look for a Patchbay process that hangs, and end it.',
          )
        const own = isOurs ? ready : await get(`${holder.url}/readyz`)
        return own?.status === 200
          ? ok(`process ${holder.pid} runs at ${holder.url} and is ready`)
          : fail(
              `process ${holder.pid} runs at ${holder.url} and ${own ? `is not ready (${own.status})` : 'does not answer'}`,
              'Look at its log; it comes back by itself when its database does.',
            )
      }
      if (isOurs) {
        found.running = 'unknown'
        return ready.status === 200
          ? ok(`a Patchbay server answers at ${address} and is ready`)
          : fail(
              `the server at ${address} is not ready (${ready.status})`,
              'Look at its log and at its database.',
            )
      }
      if (role === 'work' || port === 0) return ok('none runs; it can be started')
      return await reservePort(host, port).then(
        async (held) => {
          await held.release()
          return ok(`none runs; port ${port} on ${host} is free`)
        },
        (error: unknown) => {
          if (!(error instanceof StartupError)) throw error
          return fail(error.message, error.fix)
        },
      )
    },
  },
  {
    name: 'PUBLIC_URL',
    needsConfig: true,
    async run({ config, running }) {
      const { publicUrl, port } = config!
      const { protocol, hostname, host } = new URL(publicUrl)
      const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
      if (protocol === 'http:' && !isLocal)
        return warn(
          `${publicUrl} is not encrypted`,
          'Put a proxy with a certificate in front and set PUBLIC_URL to its https address: providers refuse other callbacks, and keys travel in the open.',
        )
      if (!running) return skip(`${publicUrl}: reached only while a server runs`)
      if (isLocal && port === 0) return skip('PORT=0 makes it a new one at every start')
      const reply = await get(`${publicUrl}/healthz`)
      return reply?.status === 200
        ? ok(`${publicUrl}${isLocal ? ' (this machine only)' : ''}`)
        : warn(
            `${publicUrl} ${reply ? `answers ${reply.status} to /healthz` : 'does not answer here'}`,
            `Check that ${host} leads to this server, by its name and through its proxy; ignore this if only this machine cannot reach it.`,
          )
    },
  },
]

/** The operator's own addresses: these, and nothing else, may be private. */
async function get(url: string): Promise<{ status: number; text: string } | undefined> {
  const egress = createEgress({ allow: parseAllowRules(new URL(url).hostname), connectTimeoutMs: ANSWER_MS })
  try {
    const { status, body } = await egress.send({
      method: 'GET',
      url,
      timeoutMs: ANSWER_MS,
      bytesMax: 100_000,
    })
    return { status, text: body.toString() }
  } catch {
    return undefined
  } finally {
    await egress.close()
  }
}
