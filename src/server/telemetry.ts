import type { Config } from '../platform/config.ts'
import type { Logger } from '../platform/log.ts'
import type { Telemetry } from '../platform/telemetry/index.ts'
import { programVersion } from './version.ts'

/** Starts to send traces and metrics, if the settings have a collector. */
export async function openTelemetry(config: Config, log: Logger): Promise<Telemetry | undefined> {
  if (config.otlpEndpoint === undefined) return undefined
  // Loaded here: the SDK costs memory, which only servers with a collector should pay.
  const { startTelemetry } = await import('../platform/telemetry/start.ts')
  return startTelemetry(
    {
      endpoint: config.otlpEndpoint,
      headers: config.otlpHeaders,
      protocol: config.otlpProtocol,
      serviceName: config.otlpServiceName,
      resourceAttributes: { 'patchbay.role': config.role, ...config.otlpResourceAttributes },
      version: programVersion(),
      sampledShare: config.otlpSampledShare,
      metricIntervalMs: config.otlpMetricIntervalMs,
      propagationHosts: config.tracePropagationHosts,
    },
    log,
  )
}
