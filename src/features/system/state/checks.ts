import { statfs } from 'node:fs/promises'
import type { SystemState } from '../../../contract/system.ts'

type Check = SystemState['checks'][number]

const MEGABYTE = 1024 * 1024
const DISK_MEGABYTES_MIN = 1_024
const CLOCK_DIFFERENCE_MS_MAX = 2_000
const DATABASE_VERSION_MIN = 150_000
const LATENCY_MS_MAX = 100
/** Work that is due is claimed within seconds. */
const WAITING_MAX = 1_000

const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail, fix: null })
const warn = (name: string, detail: string, fix: string): Check => ({ name, status: 'warn', detail, fix })
const fail = (name: string, detail: string, fix: string): Check => ({ name, status: 'fail', detail, fix })

export interface DatabaseFacts {
  version: string
  versionNumber: number
  sizeBytes: number
  latencyMs: number
  /** Time of the database minus the time of this process. */
  clockDifferenceMs: number
}

export function checkDatabase({ version, versionNumber, latencyMs }: DatabaseFacts): Check {
  const text = `PostgreSQL ${version} responds in ${latencyMs} ms`
  if (versionNumber < DATABASE_VERSION_MIN)
    return warn('database', text, 'Upgrade to PostgreSQL 15 or newer.')
  if (latencyMs > LATENCY_MS_MAX)
    return warn('database', text, 'Run the database near the server: a call makes several queries.')
  return ok('database', text)
}

export function checkClock({ clockDifferenceMs }: DatabaseFacts): Check {
  const seconds = (Math.abs(clockDifferenceMs) / 1_000).toFixed(1)
  const text = `The clocks of server and database differ by ${seconds} s`
  return Math.abs(clockDifferenceMs) > CLOCK_DIFFERENCE_MS_MAX
    ? fail(
        'clock',
        text,
        'Synchronize both clocks, for example with NTP: leases and signatures depend on them.',
      )
    : ok('clock', text)
}

export function checkPublicUrl(publicUrl: string): Check {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:') return ok('public URL', publicUrl)
  return warn(
    'public URL',
    `${publicUrl} ${hostname === 'localhost' ? 'is reached from this machine only' : 'has no TLS'}`,
    'Set PUBLIC_URL to an https URL before production: vendors and agents on the internet need it.',
  )
}

export const checkProxy = (hasUntrustedProxy: boolean): Check =>
  hasUntrustedProxy
    ? warn(
        'proxy',
        'Requests have the header X-Forwarded-For, but TRUSTED_PROXIES is not set: all clients count as one IP address',
        'Set TRUSTED_PROXIES to the IP addresses of your reverse proxies.',
      )
    : ok('proxy', 'The IP addresses of clients are known')

/** What the folder of TOOLKITS_DIR has that is not in use. */
export interface FolderProblem {
  /** Missing if the folder itself cannot be read. */
  readonly slug: string | undefined
  readonly reasons: readonly string[]
  readonly usesEarlierVersion: boolean
}

export function checkToolkitsFolder(count: number, problems: readonly FolderProblem[]): Check {
  if (problems.length === 0) return ok('toolkits folder', `Toolkits of TOOLKITS_DIR in use: ${count}`)
  const texts = problems.map(
    ({ reasons, usesEarlierVersion }) =>
      `${reasons[0]}${usesEarlierVersion ? ' (an earlier version is in use)' : ''}`,
  )
  return fail(
    'toolkits folder',
    texts.join(' '),
    'Check the folder with `patchbay toolkits lint`. A corrected toolkit is used within seconds.',
  )
}

export function checkQueues(jobs: SystemState['jobs'], deliveries: number): Check {
  const due = jobs.reduce((sum, job) => sum + job.due, 0)
  const failed = jobs.reduce((sum, job) => sum + job.failed, 0)
  if (due > WAITING_MAX || deliveries > WAITING_MAX)
    return fail(
      'queues',
      `${due} jobs and ${deliveries} deliveries are due and wait`,
      'Check that a process with ROLE=all or ROLE=work runs, and its log.',
    )
  if (failed > 0)
    return warn(
      'queues',
      `${failed} jobs failed for the last time`,
      'Read their errors below and in the log.',
    )
  return ok('queues', `${due} jobs and ${deliveries} deliveries wait`)
}

/** Checks the free space where the server writes its cache. */
export async function checkDisk(folder: string): Promise<Check> {
  try {
    const { bavail, bsize } = await statfs(folder)
    const free = Math.floor((bavail * bsize) / MEGABYTE)
    const text = `${free.toLocaleString('en')} MB are free in DATA_DIR`
    return free < DISK_MEGABYTES_MIN
      ? warn('disk', text, 'Free space, or move DATA_DIR to a larger disk.')
      : ok('disk', text)
  } catch (error) {
    return warn('disk', `DATA_DIR cannot be read: ${(error as Error).message}`, 'Check its permissions.')
  }
}
