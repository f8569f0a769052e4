import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditFaults, readAdvisories } from './audit-dependencies.ts'

const advisory = (name: string, severity: string, id: string) => ({
  source: 1,
  name,
  severity,
  title: `A fault of ${name}`,
  url: `https://github.com/advisories/${id}`,
})
const HIGH = 'GHSA-aaaa-bbbb-cccc'
const LOW = 'GHSA-1111-2222-3333'
const REPORT = JSON.stringify({
  auditReportVersion: 2,
  vulnerabilities: {
    parser: { name: 'parser', severity: 'high', via: [advisory('parser', 'high', HIGH)] },
    server: { name: 'server', severity: 'high', via: ['parser', advisory('parser', 'high', HIGH)] },
    text: { name: 'text', severity: 'low', via: [advisory('text', 'low', LOW)] },
  },
})
const NOW = new Date('2026-11-23')

test('audit: a high advisory blocks a release once, a low one does not', () => {
  assert.deepEqual(auditFaults(readAdvisories(REPORT) ?? [], [], NOW), [
    `parser: A fault of parser (high, ${HIGH})`,
  ])
})

test('audit: an exception counts until its day, for at most a year, and only while it is needed', () => {
  const faults = (until: string, id = HIGH) =>
    auditFaults(readAdvisories(REPORT) ?? [], [{ advisory: id, reason: 'not reachable', until }], NOW)
  assert.deepEqual(faults('2027-02-01'), [])
  for (const until of ['2026-11-22', '2030-01-01', 'never']) assert.equal(faults(until).length, 2, until)
  assert.match(faults('2027-02-01', 'GHSA-9999-9999-9999').join('\n'), /not needed/)
})

test('audit: an unreachable registry is not the same as no advisories', () => {
  for (const output of ['', 'npm error', '{"message": "405 Method Not Allowed"}'])
    assert.equal(readAdvisories(output), undefined)
  assert.deepEqual(readAdvisories('{"vulnerabilities": {}}'), [])
})
