import type { MetricFamily, MetricSample } from './types.ts'

/** A metric as the Prometheus client returns it. A histogram has one value for each bucket, sum and count. */
export interface PrometheusMetric {
  name: string
  help: string
  type: unknown
  values: readonly {
    value: number
    labels: Readonly<Partial<Record<string, string | number>>>
    metricName?: string
  }[]
}

const TYPES = ['counter', 'gauge', 'histogram'] as const

/** Converts metrics of the Prometheus client. Summaries, of which there are none, are left out. */
export function toMetricFamilies(metrics: readonly PrometheusMetric[]): MetricFamily[] {
  return metrics.flatMap((metric): MetricFamily[] => {
    const type = TYPES.find((one) => one === metric.type)
    if (!type) return []
    const { name, help } = metric
    const samples =
      type === 'histogram'
        ? toHistograms(metric)
        : metric.values.map(({ value, labels }) => ({ value, labels: labels as MetricSample['labels'] }))
    return [{ name, help, type, samples }]
  })
}

function toHistograms({ name, values }: PrometheusMetric): MetricSample[] {
  const byLabels = new Map<string, { labels: MetricSample['labels']; value: number; buckets: Bucket[] }>()
  for (const { value, labels: all, metricName } of values) {
    const { le, ...labels } = all
    const key = JSON.stringify(labels)
    const sample = byLabels.get(key) ?? { labels: labels as MetricSample['labels'], value: 0, buckets: [] }
    byLabels.set(key, sample)
    if (metricName === `${name}_sum`) sample.value = value
    else if (le !== undefined)
      sample.buckets.push({ le: le === '+Inf' ? Infinity : Number(le), count: value })
  }
  return [...byLabels.values()]
}

type Bucket = NonNullable<MetricSample['buckets']>[number]
