import { createThrottling } from '../../engine/index.ts'
import { createEgressOf } from '../../features/demo/index.ts'
import { ExecutionAnnouncer } from '../../features/events/index.ts'
import { cooldownSchedules, createSharedCooldowns } from '../../features/rate-limit-cooldowns/index.ts'
import { createDataKeyStore } from '../../features/projects/index.ts'
import { createChangeBus } from '../../platform/change-bus.ts'
import { systemWait } from '../../platform/clock.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { connect, type PoolOptions } from '../../platform/db/pool.ts'
import { partitionSchedules } from '../../platform/db/partitions/index.ts'
import { createReplicaReader } from '../../platform/db/replica-reader.ts'
import { watchReplicas } from '../../platform/db/replicas.ts'
import type { Db, Pool } from '../../platform/db/sql.ts'
import { createBranding } from '../../platform/http/branding/branding.ts'
import type { Logger } from '../../platform/log.ts'
import { createMetrics, type Metrics } from '../../platform/metrics.ts'
import { tracedEgress } from '../../platform/telemetry/index.ts'
import { ChangeSubscriptions } from '../change-subscriptions.ts'
import type { AppOptions } from '../options.ts'

const LOG_CONNECTIONS = 2
/** Statements that read a data key are rare and short. */
const KEY_CONNECTIONS = 1

export type PlatformPart = ReturnType<typeof wirePlatform>

/** Database connections, changes of other processes, and throttling. */
export function wirePlatform(options: AppOptions) {
  const { databaseUrl, clock, log, publicUrl, version, telemetry, tenantRole } = options
  const egress = telemetry
    ? tracedEgress(options.egress, telemetry.tracing, telemetry.propagationHosts)
    : options.egress
  const metrics = createMetrics()
  telemetry?.exportMetrics(metrics.families)
  const { databaseDirectUrl } = options
  const isPooled = databaseDirectUrl !== undefined
  const keysDb = connect(databaseUrl, { max: KEY_CONNECTIONS, isPooled, applicationName: 'patchbay-keys' })
  const encryptor = options.encryptor.withStore(createDataKeyStore(keysDb))
  const openPool = (pool: PoolOptions, url = databaseUrl) =>
    connect(url, { ...pool, tenantRole, isPooled, encryption: encryptor })
  const db = openPool({ max: options.databasePoolMax })
  const logDb = openPool({ max: LOG_CONNECTIONS, applicationName: 'patchbay-log' })
  const changeBus = createChangeBus(databaseDirectUrl ?? databaseUrl)
  const changes = new ChangeSubscriptions(changeBus)
  followDataKeys(changes, encryptor, log)
  const replicas = watchReplicas(db, (error) =>
    log.debug({ err: error }, 'the replicas could not be counted'),
  )
  const throttling = wireThrottling(options, db, changes, replicas.count)
  return {
    db,
    logDb,
    keysDb,
    ...wireReads(options, { db, metrics, openPool }),
    /** Opens connections of their own for a worker. */
    openPool,
    encryptor,
    egress,
    egressOf: createEgressOf({ db, egress, simulate: options.simulateApplications }),
    clock,
    log,
    publicUrl,
    consentPage: options.consentPage ?? ('managed' as const),
    validateCredentials: options.validateCredentials ?? ('on' as const),
    version,
    changeBus,
    changes,
    replicas,
    throttling,
    announcer: wireAnnouncer(db, changes, log),
    brand: createBranding(options.wireBrand),
    metrics,
    tracing: telemetry?.tracing,
    schedules: [
      ...cooldownSchedules({ db }),
      ...partitionSchedules({ db, openPool, log, logRetentionDays: options.logRetentionDays ?? 0 }),
    ],
  }
}

/** Removes data keys from memory that another process has replaced or destroyed. */
function followDataKeys(changes: ChangeSubscriptions, encryptor: Encryptor, log: Logger): void {
  const recheck = () =>
    encryptor
      .recheckKeys()
      .catch((error: unknown) =>
        log.debug({ err: error }, 'data keys could not be compared with the database'),
      )
  changes.on(
    'data_keys_changed',
    ({ projectId }) => void encryptor.forgetProject(projectId),
    () => void recheck(),
  )
}

/** Announces executions to the streams of all processes. */
function wireAnnouncer(db: Pool, changes: ChangeSubscriptions, log: Logger): ExecutionAnnouncer {
  const announcer = new ExecutionAnnouncer({ db, log, confirm: () => changes.confirm() })
  changes.on(
    'executions_followed',
    ({ projectId }) => announcer.follow(projectId),
    () => announcer.followAll(),
  )
  return announcer
}

/** Throttling, with the cooldowns that other processes report. */
function wireThrottling(
  { clock, log, wait = systemWait }: Pick<AppOptions, 'clock' | 'log' | 'wait'>,
  db: Pool,
  changes: ChangeSubscriptions,
  replicas: () => number,
) {
  const sharedCooldowns = createSharedCooldowns(db, (error) =>
    log.debug({ err: error }, 'rate-limit cooldowns could not be shared'),
  )
  const throttling = createThrottling({ clock, replicas, wait, share: sharedCooldowns.share })
  changes.on(
    'cooldown_started',
    (change) => sharedCooldowns.apply(change, throttling.cooldowns),
    () => void sharedCooldowns.reload(throttling.cooldowns),
  )
  return throttling
}

interface ReadParts {
  readonly db: Pool
  readonly metrics: Metrics
  openPool(pool: PoolOptions, url?: string): Pool
}

/** `readDb` is for reads of logs and statistics, which take long: the replica, if there is one. */
function wireReads(
  { databaseReadUrl, databasePoolMax, clock, log }: AppOptions,
  { db, metrics, openPool }: ReadParts,
): { readDb: Db; readPool?: Pool } {
  if (databaseReadUrl === undefined) return { readDb: db }
  const readPool = openPool({ max: databasePoolMax, applicationName: 'patchbay-read' }, databaseReadUrl)
  const readDb = createReplicaReader({
    primary: db,
    replica: readPool,
    now: () => clock.now(),
    onRead: metrics.readLogs,
    onPause: (reason) => log.warn({ err: reason }, 'the read replica cannot be used; reads use the primary'),
  })
  return { readDb, readPool }
}
