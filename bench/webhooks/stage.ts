import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type NewEvent, publishEvents, stableEventId } from '../../src/features/events/index.ts'
import { createDataKeyStore } from '../../src/features/projects/index.ts'
import { parseKeyRing, createEncryptor } from '../../src/platform/crypto/index.ts'
import { startEmbedded } from '../../src/platform/db/embedded/index.ts'
import { connect } from '../../src/platform/db/pool.ts'
import { type Pool, sql } from '../../src/platform/db/sql.ts'
import { startProduct } from '../execute/processes.ts'
import { type ApiKeyServer, postJson } from '../post.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const A_STATEMENT = 1_000

export interface Part {
  pid: number
  ask<T>(message: object): Promise<T>
  send(message: object): void
  next<T>(): Promise<T>
  stop(): void
}

export interface Stage {
  db: Pool
  postgresPid: number
  receiver: Part
  bare: Part
  /** A process that only delivers, once it does. */
  worker(): Promise<{ pid: number; stop(): Promise<void> }>
  /** Tells so many events, each of a trigger instance of its own; with `stamped`, when. */
  publish(count: number, stamped?: boolean): Promise<void>
  stop(): Promise<void>
}

async function part(file: string, ...args: string[]): Promise<Part & { port: number }> {
  const child = fork(new URL(file, import.meta.url), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const next = async <T>() => ((await once(child, 'message')) as [T])[0]
  const { port } = await next<{ port: number }>()
  const ask = <T>(message: object) => {
    const answer = next<T>()
    child.send(message)
    return answer
  }
  return {
    port,
    pid: child.pid as number,
    next,
    ask,
    send: (message) => {
      child.send(message)
    },
    stop: () => {
      child.kill()
    },
  }
}

const subscribe = (server: ApiKeyServer, receiverUrl: string): Promise<unknown> =>
  postJson(server, '/webhook_subscriptions', {
    webhook_url: receiverUrl,
    enabled_events: ['service.trigger.message'],
  })

/** Opens connections that encrypt events like the server. */
function connectWithKeys(url: string, keys: string, ends: (() => unknown)[]): Pool {
  const keysDb = connect(url, { max: 1 })
  const encryption = createEncryptor(parseKeyRing(keys)).withStore(createDataKeyStore(keysDb))
  const db = connect(url, { max: 16, connectTimeoutMs: 60_000, statementTimeoutMs: 600_000, encryption })
  ends.push(async () => {
    await db.close()
    await keysDb.close()
  })
  return db
}

/** PostgreSQL, a server with `subscriptions` to one receiver, and a bare loop that posts to it. */
export async function raise(subscriptions: number, atOnce: number): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'patchbay-bench-'))
  const ends: (() => unknown)[] = [() => rm(directory, { recursive: true, force: true })]
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
    const database = await startEmbedded({ dataDir: join(directory, 'database') })
    ends.push(() => database.stop())
    const keys = `bench:${randomBytes(32).toString('base64')}`
    const key = `ak_${randomBytes(24).toString('base64url')}`
    const env = { DATABASE_URL: database.url, ENCRYPTION_KEYS: keys, BOOTSTRAP_PROJECT_API_KEY: key }
    const product = await startProduct({ ...env, ROLE: 'serve' })
    ends.push(() => product.stop())
    const receiver = await part('./receiver.ts')
    const address = `http://127.0.0.1:${receiver.port}`
    const bare = await part('./bare.ts', address, String(atOnce))
    ends.push(() => {
      receiver.stop()
      bare.stop()
    })
    for (let n = 0; n < subscriptions; n++) await subscribe({ url: product.url, key }, `${address}/hook-${n}`)
    const db = connectWithKeys(database.url, keys, ends)
    const projectId = (await db.one<{ id: string }>(sql`select project_id as id from webhook_subscriptions`))
      ?.id as string
    let published = 0
    const publish: Stage['publish'] = async (count, stamped = false) => {
      for (let left = count; left > 0; left -= A_STATEMENT) {
        await db.begin((tx) =>
          publishEvents(
            tx,
            projectId,
            Array.from({ length: Math.min(left, A_STATEMENT) }, () =>
              eventOf(projectId, published++, stamped),
            ),
          ),
        )
      }
    }
    const postgresPid = (await db.one<{ pid: number }>(sql`select pg_backend_pid() as pid`))?.pid ?? 0
    return {
      db,
      postgresPid: parentOf(postgresPid),
      receiver,
      bare,
      publish,
      stop,
      worker: () => startWorker(env, directory),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function eventOf(projectId: string, n: number, stamped: boolean): NewEvent {
  return {
    id: stableEventId(projectId, `ti_${n}`, String(n)),
    type: 'trigger.message',
    orderingKey: `ti_${n}`,
    data: {
      log_id: 'log_TpxVOLXYnwXZ',
      trigger_slug: 'BENCH',
      trigger_id: `ti_${n}`,
      trigger_uuid: '77aa0000-0000-4000-8000-000000000001',
      connected_account_id: 'ca_Zp4Wd81rNcYe',
      connected_account_uuid: '0e1c0000-0000-4000-8000-000000000002',
      auth_config_id: 'ac_7hQ2vLk9TmXa',
      user_id: 'u-17',
    },
    payload: {
      n,
      text: 'x'.repeat(400),
      ...(stamped ? { sent_at: performance.timeOrigin + performance.now() } : {}),
    },
  }
}

async function startWorker(
  env: Record<string, string>,
  directory: string,
): Promise<{ pid: number; stop(): Promise<void> }> {
  const child: ChildProcess = spawn(
    process.execPath,
    [...(process.env['BENCH_NODE_ARGS']?.split(' ') ?? []), 'bin/patchbay.js', 'start'],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        ...env,
        ROLE: 'work',
        DATA_DIR: join(directory, 'worker'),
        EGRESS_ALLOW: '127.0.0.0/8',
        LOG_LEVEL: 'warn',
      },
    },
  )
  let output = ''
  for await (const text of child.stdout!.setEncoding('utf8').iterator({ destroyOnReturn: false }))
    if ((output += text as string).includes('working on jobs')) break
  child.stdout!.resume()
  return {
    pid: child.pid as number,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

const parentOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
