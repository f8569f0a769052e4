import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { queryOnce } from '../../src/platform/db/check.ts'
import { findProgram } from '../../test/fixtures/debian-package.ts'
import { findFreePort } from '../../src/platform/free-port.ts'
import { createNode, type NodeUser, type PatroniNode } from './patroni-node.ts'

const NODES = ['node-1', 'node-2', 'node-3']
const READY_MS = 120_000
const LOOK_MS = 100
const CHECK_MS = 500

/** Three PostgreSQL nodes with synchronous replication under Patroni and etcd, behind HAProxy. */
export interface Cluster {
  /** The database through HAProxy, which leads to the primary. */
  url: string
  nodes: readonly PatroniNode[]
  primary(): Promise<PatroniNode | undefined>
  /** Waits until a primary has two replicas, one of them synchronous. */
  healthy(): Promise<void>
  /** Asks Patroni to make a replica the primary. Throws with the response of Patroni when it does not. */
  switchOver(from: PatroniNode): Promise<void>
}

interface Member {
  name: string
  role: string
  state: string
}

/** @param ends receives what stops the programs, in the order of their start */
export async function startCluster(directory: string, ends: (() => unknown)[]): Promise<Cluster> {
  const etcd = findProgram(['/usr/bin/etcd'], 'etcd-server')
  const patroni = findProgram(['/usr/bin/patroni'], 'patroni')
  const haproxy = findProgram(['/usr/sbin/haproxy'], 'haproxy')
  const postgresFolder = dirname(findProgram(postgresPaths(), 'postgresql'))
  await chmod(directory, 0o755)
  const etcdPort = await startEtcd(etcd, join(directory, 'etcd'), ends)
  const programs = { patroni, postgresFolder, etcdPort, user: postgresUser() }
  const nodes = await Promise.all(NODES.map((name) => createNode(name, directory, programs)))
  ends.push(() => Promise.all(nodes.map((node) => node.stop())))
  for (const node of nodes) node.start()
  const cluster = clusterOf(nodes, await startProxy(haproxy, directory, nodes, ends))
  await cluster.healthy()
  await createDatabase(await primaryOf(nodes))
  return cluster
}

const postgresPaths = (): string[] => [
  ...globSync('/usr/lib/postgresql/*/bin/postgres').toSorted().reverse(),
  '/usr/lib/postgresql/15/bin/postgres',
]

/** PostgreSQL does not run as root; Debian's package has a user for it. */
function postgresUser(): NodeUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((text) => text.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (!uid || !gid)
    throw new Error('There is no user "postgres". On Debian and Ubuntu: apt-get install postgresql')
  return { uid: Number(uid), gid: Number(gid) }
}

async function startEtcd(program: string, folder: string, ends: (() => unknown)[]): Promise<number> {
  const [port, peerPort] = [await findFreePort(), await findFreePort()]
  await mkdir(folder)
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  start(ends, program, [
    `--data-dir=${folder}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--logger=zap',
    '--log-level=error',
  ])
  await waitUntil('etcd responds', async () => (await fetch(`${url}/health`)).ok)
  return port
}

/** Starts HAProxy with the health check that the documentation of Patroni recommends. Returns its port. */
async function startProxy(
  program: string,
  directory: string,
  nodes: readonly PatroniNode[],
  ends: (() => unknown)[],
): Promise<number> {
  const port = await findFreePort()
  const servers = nodes.map(
    (node) => `  server ${node.name} 127.0.0.1:${node.port} maxconn 150 check port ${node.apiPort}`,
  )
  const file = join(directory, 'haproxy.cfg')
  await writeFile(
    file,
    `global
  maxconn 1000
defaults
  mode tcp
  retries 2
  timeout connect 4s
  timeout client 30m
  timeout server 30m
  timeout check 1s
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter ${CHECK_MS}ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
  )
  start(ends, program, ['-f', file, '-db'])
  return port
}

function start(ends: (() => unknown)[], program: string, args: string[]): ChildProcess {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore'] })
  child.on('error', (error) => process.stderr.write(`${program}: ${error.message}\n`))
  ends.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  return child
}

function clusterOf(nodes: readonly PatroniNode[], proxyPort: number): Cluster {
  return {
    url: `postgres://patchbay@127.0.0.1:${proxyPort}/patchbay`,
    nodes,
    primary: () => findPrimary(nodes),
    healthy: () => waitUntil('a primary has two replicas, one of them synchronous', () => isHealthy(nodes)),
    async switchOver(from) {
      const reply = await fetch(`http://127.0.0.1:${from.apiPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: from.name }),
      })
      const text = await reply.text()
      if (!reply.ok) throw new Error(`Patroni did not switch over: ${reply.status} ${text}`)
    },
  }
}

async function findPrimary(nodes: readonly PatroniNode[]): Promise<PatroniNode | undefined> {
  const primaries = await Promise.all(nodes.map((node) => node.isPrimary()))
  return nodes[primaries.indexOf(true)]
}

async function primaryOf(nodes: readonly PatroniNode[]): Promise<PatroniNode> {
  const primary = await findPrimary(nodes)
  if (!primary) throw new Error('The cluster has no primary.')
  return primary
}

async function isHealthy(nodes: readonly PatroniNode[]): Promise<boolean> {
  const primary = await findPrimary(nodes)
  if (!primary) return false
  const reply = await fetch(`http://127.0.0.1:${primary.apiPort}/cluster`)
  const { members } = (await reply.json()) as { members: Member[] }
  const running = members.filter(({ state }) => state === 'running' || state === 'streaming')
  return running.length === nodes.length && members.some(({ role }) => role === 'sync_standby')
}

/** The role of the server needs CREATEROLE for row-level security, and no more. */
async function createDatabase(primary: PatroniNode): Promise<void> {
  const url = `postgres://postgres@127.0.0.1:${primary.port}/postgres`
  await queryOnce(url, 'create role patchbay login createrole')
  await queryOnce(url, 'create database patchbay owner patchbay', READY_MS)
}

async function waitUntil(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + READY_MS
  for (; performance.now() < untilMs; await wait(LOOK_MS)) if (await isDone().catch(() => false)) return
  throw new Error(`Not within ${READY_MS / 1_000} s: ${what}.`)
}
