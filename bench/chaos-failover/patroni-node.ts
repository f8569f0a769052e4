import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { killAll } from '../../src/platform/db/embedded/processes.ts'
import { findFreePort } from '../../src/platform/free-port.ts'

/** Seconds after which a node that does not respond loses the role of the primary: the smallest of Patroni. */
export const TTL_SECONDS = 20
const LOOP_WAIT_SECONDS = 2
const RETRY_TIMEOUT_SECONDS = 5
const STOP_MS = 20_000
const REQUEST_MS = 2_000
const PASSWORD = 'local'

/** The user that runs PostgreSQL; undefined is the current one. */
export interface NodeUser {
  uid: number
  gid: number
}

export interface ClusterPrograms {
  patroni: string
  /** The folder of `postgres` and `pg_rewind`. */
  postgresFolder: string
  etcdPort: number
  user: NodeUser | undefined
}

/** One PostgreSQL with its Patroni. */
export interface PatroniNode {
  name: string
  port: number
  apiPort: number
  isPrimary(): Promise<boolean>
  /** Kills Patroni and every process of PostgreSQL with SIGKILL, as a power failure does. */
  kill(): Promise<void>
  start(): void
  stop(): Promise<void>
}

export async function createNode(
  name: string,
  directory: string,
  programs: ClusterPrograms,
): Promise<PatroniNode> {
  const folder = join(directory, name)
  const dataFolder = join(folder, 'data')
  const [port, apiPort] = [await findFreePort(), await findFreePort()]
  await mkdir(folder, { mode: 0o700 })
  const file = join(folder, 'patroni.json')
  await writeFile(file, JSON.stringify(configuration({ name, folder, dataFolder, port, apiPort, programs })))
  const { user } = programs
  if (user) for (const path of [folder, file]) await chown(path, user.uid, user.gid)
  const log = createWriteStream(join(directory, `${name}.log`))
  let child: ChildProcess | undefined
  return {
    name,
    port,
    apiPort,
    isPrimary: () => responds(`http://127.0.0.1:${apiPort}/primary`),
    async kill() {
      child?.kill('SIGKILL')
      await killAll(dataFolder)
    },
    start() {
      child = spawn(programs.patroni, [file], {
        stdio: ['ignore', 'pipe', 'pipe'],
        cwd: folder,
        env: {
          PATH: `${programs.postgresFolder}:${process.env['PATH'] ?? ''}`,
          HOME: folder,
          LC_ALL: 'C.UTF-8',
        },
        ...user,
      })
      for (const stream of [child.stdout, child.stderr]) stream?.pipe(log, { end: false })
    },
    async stop() {
      if (child && child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit', { signal: AbortSignal.timeout(STOP_MS) }).catch(() => {})
        child.kill('SIGTERM')
        await ended
        child.kill('SIGKILL')
      }
      await killAll(dataFolder)
      log.end()
    },
  }
}

const responds = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(REQUEST_MS) }).then(
    async (reply) => {
      await reply.arrayBuffer()
      return reply.status === 200
    },
    () => false,
  )

interface NodeParts {
  name: string
  folder: string
  dataFolder: string
  port: number
  apiPort: number
  programs: ClusterPrograms
}

/** The configuration of Patroni; JSON is YAML. */
function configuration({ name, folder, dataFolder, port, apiPort, programs }: NodeParts): object {
  return {
    scope: 'patchbay',
    name,
    restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
    etcd3: { host: `127.0.0.1:${programs.etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: TTL_SECONDS,
        loop_wait: LOOP_WAIT_SECONDS,
        retry_timeout: RETRY_TIMEOUT_SECONDS,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { max_connections: 200, wal_log_hints: 'on', synchronous_commit: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: dataFolder,
      bin_dir: programs.postgresFolder,
      pgpass: join(folder, 'pgpass'),
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
      parameters: { unix_socket_directories: folder },
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
        rewind: { username: 'rewind', password: PASSWORD },
      },
    },
  }
}
