import { createThrottling } from '../../engine/index.ts'
import { createEgressOf } from '../../features/demo/index.ts'
import { cooldownSchedules, createSharedCooldowns } from '../../features/rate-limit-cooldowns/index.ts'
import { createChangeBus } from '../../platform/change-bus.ts'
import { systemWait } from '../../platform/clock.ts'
import { connect, type PoolOptions } from '../../platform/db/pool.ts'
import { watchReplicas } from '../../platform/db/replicas.ts'
import { createBranding } from '../../platform/http/branding/branding.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { tracedEgress } from '../../platform/telemetry/index.ts'
import { ChangeSubscriptions } from '../change-subscriptions.ts'
import type { AppOptions } from '../options.ts'

const LOG_CONNECTIONS = 2

export type PlatformPart = ReturnType<typeof wirePlatform>

/** Database connections, changes of other processes, and throttling. */
export function wirePlatform(options: AppOptions) {
  const { databaseUrl, encryptor, clock, log, publicUrl, version, telemetry, tenantRole } = options
  const egress = telemetry
    ? tracedEgress(options.egress, telemetry.tracing, telemetry.propagationHosts)
    : options.egress
  const metrics = createMetrics()
  telemetry?.exportMetrics(metrics.families)
  const { databaseDirectUrl } = options
  const openPool = (pool: PoolOptions) =>
    connect(databaseUrl, { ...pool, tenantRole, isPooled: databaseDirectUrl !== undefined })
  const db = openPool({ max: options.databasePoolMax })
  const logDb = openPool({ max: LOG_CONNECTIONS, applicationName: 'patchbay-log' })
  const changeBus = createChangeBus(databaseDirectUrl ?? databaseUrl)
  const changes = new ChangeSubscriptions(changeBus)
  const replicas = watchReplicas(db, (error) =>
    log.debug({ err: error }, 'the replicas could not be counted'),
  )
  const sharedCooldowns = createSharedCooldowns(db, (error) =>
    log.debug({ err: error }, 'rate-limit cooldowns could not be shared'),
  )
  const throttling = createThrottling({
    clock,
    replicas: replicas.count,
    wait: options.wait ?? systemWait,
    share: sharedCooldowns.share,
  })
  changes.on(
    'cooldown_started',
    (change) => sharedCooldowns.apply(change, throttling.cooldowns),
    () => void sharedCooldowns.reload(throttling.cooldowns),
  )
  return {
    db,
    logDb,
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
    brand: createBranding(options.wireBrand),
    metrics,
    tracing: telemetry?.tracing,
    schedules: cooldownSchedules({ db }),
  }
}
