import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { load } from 'js-yaml'
import { createMetrics } from '../../src/platform/metrics.ts'

const read = (file: string) =>
  readFileSync(join(import.meta.dirname, '..', '..', 'deploy', 'observability', file), 'utf8')

/** The names of metrics in a PromQL expression. */
const metricsIn = (expression: string): string[] => expression.match(/\b(patchbay|nodejs|process)_\w+/g) ?? []

async function knownNames(): Promise<Set<string>> {
  const families = await createMetrics().families()
  return new Set(
    families.flatMap(({ name, type }) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
}

test('deploy: every metric of the Grafana dashboard exists', async () => {
  const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  const known = await knownNames()
  assert.ok(dashboard.panels.length >= 12)
  for (const { title, targets } of dashboard.panels)
    for (const { expr } of targets) {
      const names = metricsIn(expr)
      assert.ok(names.length > 0, title)
      for (const name of names) assert.ok(known.has(name), `${title}: ${name}`)
    }
})

test('deploy: every alert rule has a severity, a summary, and metrics that exist', async () => {
  const { groups } = load(read('prometheus-rules.yaml')) as {
    groups: { rules: { alert: string; expr: string; labels: any; annotations: any }[] }[]
  }
  const known = await knownNames()
  const rules = groups.flatMap((group) => group.rules)
  assert.ok(rules.length >= 8)
  for (const { alert, expr, labels, annotations } of rules) {
    assert.match(labels.severity, /^(critical|warning)$/, alert)
    assert.ok(annotations.summary.length > 10, alert)
    for (const name of metricsIn(expr)) assert.ok(known.has(name), `${alert}: ${name}`)
  }
})
