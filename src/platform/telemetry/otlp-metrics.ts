import type { HrTime } from '@opentelemetry/api'
import type { MetricData, ScopeMetrics } from '@opentelemetry/sdk-metrics'
import type { MetricFamily, MetricSample } from './types.ts'

type MetricsSdk = typeof import('@opentelemetry/sdk-metrics')

export const SCOPE = 'patchbay'

/** Converts metrics to the data model of OpenTelemetry. Counters and histograms count since `startTime`. */
export function toScopeMetrics(
  sdk: MetricsSdk,
  families: readonly MetricFamily[],
  startTime: HrTime,
  endTime: HrTime,
): ScopeMetrics {
  const point = (labels: MetricSample['labels']) => ({ startTime, endTime, attributes: { ...labels } })
  return {
    scope: { name: SCOPE },
    metrics: families.map((family) => {
      const { name, help, type, samples } = family
      const common = {
        descriptor: { name, description: help, unit: unitOf(name), valueType: 1, advice: {} },
        aggregationTemporality: sdk.AggregationTemporality.CUMULATIVE,
      }
      if (type === 'histogram')
        return {
          ...common,
          dataPointType: sdk.DataPointType.HISTOGRAM,
          dataPoints: samples.map((sample) => ({ ...point(sample.labels), value: toHistogram(sample) })),
        } as unknown as MetricData
      const dataPoints = samples.map(({ labels, value }) => ({ ...point(labels), value }))
      return (type === 'counter'
        ? { ...common, dataPointType: sdk.DataPointType.SUM, isMonotonic: true, dataPoints }
        : { ...common, dataPointType: sdk.DataPointType.GAUGE, dataPoints }) as unknown as MetricData
    }),
  }
}

/** The unit (UCUM) that the name of a Prometheus metric ends with. */
const unitOf = (name: string): string =>
  /_seconds(_total)?$/.test(name) ? 's' : /_bytes(_total)?$/.test(name) ? 'By' : '1'

/** Prometheus counts all observations up to a bound, OpenTelemetry those between two bounds. */
function toHistogram({ value, buckets = [] }: MetricSample) {
  return {
    buckets: {
      boundaries: buckets.map(({ le }) => le).filter(Number.isFinite),
      counts: buckets.map(({ count }, index) => count - (buckets[index - 1]?.count ?? 0)),
    },
    count: buckets.at(-1)?.count ?? 0,
    sum: value,
  }
}
