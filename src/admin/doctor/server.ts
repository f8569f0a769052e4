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
    async run(context) {
      const { databaseUrl, dataDir, host, port, role } = context.config!
      const holder = databaseUrl ? 'nobody' : await findLockHolder(dataDir).catch(() => 'nobody' as const)
      const address = `http://${reachableHost(host)}:${port}`
      const ready = port === 0 ? undefined : await get(`${address}/readyz`)
      const isOurs = ready !== undefined && /"checks":\{"database"/.test(ready.text)
      if (holder !== 'nobody') {
        context.running = holder ?? 'unknown'
        if (!holder)
          return fail(
            'a process has locked the data directory and does not respond',
            'Find the Patchbay process that hangs, and end it.',
          )
        const own = isOurs ? ready : await get(`${holder.url}/readyz`)
        return own?.status === 200
          ? ok(`process ${holder.pid} runs at ${holder.url} and is ready`)
          : fail(
              `process ${holder.pid} runs at ${holder.url} and ` +
                `${own ? `is not ready (${own.status})` : 'does not respond'}`,
              'Check its log. It recovers automatically when its database does.',
            )
      }
      if (isOurs) {
        context.running = 'unknown'
        return ready.status === 200
          ? ok(`a Patchbay server runs at ${address} and is ready`)
          : fail(`the server at ${address} is not ready (${ready.status})`, 'Check its log and its database.')
      }
      if (role === 'work' || port === 0) return ok('no server runs; it can be started')
      return await reservePort(host, port).then(
        async (reserved) => {
          await reserved.release()
          return ok(`no server runs; port ${port} on ${host} is free`)
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
      const { port } = config!
      // A running server reports its own URL: the settings of this shell may be others.
      const publicUrl = typeof running === 'object' ? running.url : config!.publicUrl
      const { protocol, hostname, host } = new URL(publicUrl)
      const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
      if (protocol === 'http:' && !isLocal)
        return warn(
          `${publicUrl} is not encrypted`,
          'Add a proxy with a certificate, and set PUBLIC_URL to its https URL: providers reject other ' +
            'callback URLs, and keys are sent unencrypted.',
        )
      if (!running) return skip(`${publicUrl}: checked only while a server runs`)
      if (isLocal && port === 0) return skip('with PORT=0 it differs at every start')
      const reply = await get(`${publicUrl}/healthz`)
      return reply?.status === 200
        ? ok(`${publicUrl}${isLocal ? ' (this machine only)' : ''}`)
        : warn(
            `${publicUrl} ${reply ? `returns ${reply.status} for /healthz` : 'does not respond here'}`,
            `Check that ${host} leads to this server, by its name and through its proxy. Ignore this if ` +
              'only this machine cannot reach it.',
          )
    },
  },
]

/** A host at which this machine reaches a server that listens on `host`; an IPv6 address in brackets. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return isIP(host) === 6 ? `[${host}]` : host
}

/** Requests a URL of the administrator, which may have a private IP address. */
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
