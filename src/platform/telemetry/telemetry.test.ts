import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { API_KEY, CLIENT, oauth, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { startCollector } from '#fixtures/otlp-collector.ts'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { addOrders, startTriggerApp } from '#fixtures/triggers.ts'
import { until } from '#fixtures/until.ts'
import { startWebhookApp } from '#fixtures/webhooks.ts'
import { executeTool } from '../../contract/tools/index.ts'
import { createEgress } from '../egress/index.ts'
import { tracedEgress } from './traced-egress.ts'

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`

async function startTracedApp(
  t: Parameters<typeof startCollector>[0],
  settings: Parameters<typeof startCollector>[1] = {},
) {
  const collector = await startCollector(t, settings)
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    tools: [sampleTool(), sampleTool({ slug: 'SHOP_DELETE_ORDER', effect: 'delete' })],
    app: { telemetry: collector.telemetry },
    answer: ({ path }) => (path === '/orders/404' ? { status: 404, json: {} } : { json: { id: '7' } }),
  })
  const configId = await s.addAuthConfig('API_KEY')
  for (const user_id of ['u1', 'ada@example.com'])
    await s.addAccount(configId, 'API_KEY', { generic_api_key: 'the-secret-key' }, { user_id })
  return { ...s, collector }
}

test('traces: an execution continues the trace of its caller, with its steps and the request as spans', async (t) => {
  const { as, keys, collector, stub } = await startTracedApp(t)
  const call = as({ 'x-api-key': keys.projectApiKey, traceparent: TRACEPARENT })
  const { body } = await call(executeTool, {
    params: { tool_slug: 'SHOP_GET_ORDER' },
    body: { user_id: 'ada@example.com', arguments: { id: '7' } },
  })
  const failed = await call(executeTool, {
    params: { tool_slug: 'SHOP_GET_ORDER' },
    body: { user_id: 'u1', arguments: { id: '404' } },
  })
  assert.equal(failed.body.successful, false)
  await collector.close()
  const server = await until('the request', () =>
    collector.spans().find(({ kind, traceId }) => kind === 2 && traceId === CALLER.traceId),
  )
  assert.match(server.name, /^POST \/api\/v3(\.1)?\/tools\/execute\/:tool_slug$/)
  assert.deepEqual(
    [server.traceId, server.parentSpanId, server.kind, server.attributes['http.response.status_code']],
    [CALLER.traceId, CALLER.spanId, 2, 200],
  )
  const executions = collector.spans().filter(({ name }) => name === 'execute_tool SHOP_GET_ORDER')
  const [first, second] = executions
  assert.equal(first?.parentSpanId, server.spanId)
  assert.equal(first.attributes['patchbay.log_id'], body.log_id)
  assert.deepEqual([first.status.code ?? 0, second?.status.code], [0, 2])
  const below = collector.namesBelow(second!)
  for (const name of ['chooseConnection', 'sendWithRetry', 'GET', 'logOutcome'])
    assert.ok(below.includes(name), `${name} in ${below.join(', ')}`)
  assert.ok(!below.includes('validateArguments'), 'a synchronous step has no span')
  assert.equal(stub.requests.at(-1)?.headers['traceparent'], undefined, 'not to the application')
  const sent = collector.stub.requests.map(({ body: text }) => text).join()
  for (const secret of ['the-secret-key', 'ada@example.com', '/orders/7', keys.projectApiKey])
    assert.ok(!sent.includes(secret), secret)
  assert.equal(collector.stub.requests[0]?.headers['authorization'], 'Bearer collector-key')
})

test('traces: requests to a host of TRACE_PROPAGATION_HOSTS continue the trace', async (t) => {
  const { callTool, collector, stub } = await startTracedApp(t, { propagationHosts: ['127.0.0.1'] })
  await callTool()
  await collector.close()
  const client = await collector.span('GET')
  assert.equal(stub.requests.at(-1)?.headers['traceparent'], `00-${client.traceId}-${client.spanId}-01`)
})

test('traces: with a share of 0 only traces that the caller records are recorded', async (t) => {
  const { callTool, as, keys, collector } = await startTracedApp(t, { sampledShare: 0 })
  await callTool()
  const call = as({ 'x-api-key': keys.projectApiKey, traceparent: TRACEPARENT })
  await call(executeTool, { params: { tool_slug: 'SHOP_GET_ORDER' }, body: { user_id: 'u1', arguments: {} } })
  await collector.close()
  assert.deepEqual([...new Set(collector.spans().map(({ traceId }) => traceId))], [CALLER.traceId])
})

test('traces: a token refresh is part of the call that needs it', async (t) => {
  const collector = await startCollector(t)
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url)],
    app: { telemetry: collector.telemetry },
    answer: ({ path }) => ({
      json: path === '/token' ? { access_token: 'access-2', token_type: 'bearer', expires_in: 3_600 } : {},
    }),
  })
  await s.addAccount(await s.addAuthConfig('OAUTH2', CLIENT), 'OAUTH2', {
    status: 'ACTIVE',
    access_token: 'access-1',
    refresh_token: 'refresh-1',
    expires_in: 3_600,
  })
  s.clock.advance(3_600_000)
  await s.callTool()
  await collector.close()
  const execution = await collector.span('execute_tool SHOP_GET_ORDER')
  const refresh = await collector.span('refresh_token shop')
  assert.equal(refresh.traceId, execution.traceId)
  assert.match(
    (await s.app.http.inject('/metrics')).body,
    /patchbay_token_refreshes_total\{toolkit="shop",outcome="success"\} 1/,
  )
})

test('traces: a poll of a trigger is a trace of its own', async (t) => {
  const collector = await startCollector(t)
  const s = await startTriggerApp(t, { app: { telemetry: collector.telemetry } })
  const id = await s.trigger()
  s.app.startPolling()
  addOrders(s.orders, { id: 2 })
  await s.polled(id)
  const poll = await until('the poll', () =>
    collector.spans().find(({ attributes }) => Number(attributes['patchbay.new_items']) === 1),
  )
  assert.deepEqual([poll.name, poll.parentSpanId ?? ''], ['poll SHOP_NEW_ORDER', ''])
  assert.equal(poll.attributes['patchbay.trigger_id'], id)
  assert.ok(collector.namesBelow(poll).includes('GET'), 'with the request to the application')
})

test('traces: an attempt to deliver a webhook is a trace of its own, and is counted', async (t) => {
  const collector = await startCollector(t)
  const s = await startWebhookApp(t, { telemetry: collector.telemetry })
  s.answer(() => ({ status: 500 }))
  await s.subscribe('/hook')
  await s.publish(['one'])
  const delivery = await until('the delivery', () =>
    collector.spans().find(({ name }) => name.startsWith('deliver ')),
  )
  assert.deepEqual([delivery.parentSpanId ?? '', delivery.status.code], ['', 2])
  assert.equal(delivery.attributes['error.type'], '500')
  await until('the metric', async () =>
    (await s.app.http.inject('/metrics')).body.includes(
      'patchbay_webhook_attempt_seconds_count{outcome="failed"} 1',
    ),
  )
})

test('metrics: the collector receives the metrics of /metrics, histograms included', async (t) => {
  const { callTool, collector } = await startTracedApp(t, { metricIntervalMs: 1_000 })
  await callTool()
  const find = (name: string) =>
    collector
      .exports('metrics')
      .flatMap(({ resourceMetrics = [] }) => resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap(({ metrics }) => metrics)
      .findLast((metric: { name: string }) => metric.name === name)
  const executions = await until('the counter', () => {
    const metric = find('patchbay_tool_executions_total')
    return metric?.sum.dataPoints.length ? metric : undefined
  })
  assert.equal(executions.sum.isMonotonic, true)
  assert.equal(executions.sum.dataPoints[0].asDouble ?? executions.sum.dataPoints[0].asInt, 1)
  const [requests] = find('patchbay_http_request_seconds').histogram.dataPoints
  assert.equal(requests.bucketCounts.length, requests.explicitBounds.length + 1)
  assert.equal(
    requests.bucketCounts.reduce((sum: number, count: number | string) => sum + Number(count), 0),
    Number(requests.count),
  )
  const [{ resource }] = collector.exports('metrics').at(-1)!.resourceMetrics!
  assert.ok(JSON.stringify(resource).includes('deployment.environment.name'))
})

test('telemetry: protobuf is the other encoding', async (t) => {
  const { callTool, collector } = await startTracedApp(t, { protocol: 'http/protobuf' })
  await callTool()
  await collector.close()
  const traces = collector.stub.requests.find(({ path }) => path === '/v1/traces')
  assert.equal(traces?.headers['content-type'], 'application/x-protobuf')
  assert.ok(traces.body.includes('execute_tool SHOP_GET_ORDER'))
})

test('telemetry: a collector that does not respond delays neither calls nor the stop', async (t) => {
  const silent = createServer((socket) => {
    t.after(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const { port } = silent.address() as { port: number }
  const { callTool, collector } = await startTracedApp(t, { endpoint: `http://127.0.0.1:${port}` })
  assert.equal((await callTool()).body.successful, true)
  await collector.close()
})

test('telemetry: the span of a request to an application has its host, and not its path', async (t) => {
  const collector = await startCollector(t)
  const egress = tracedEgress(createEgress({ allow: [] }), collector.telemetry.tracing, [])
  t.after(() => egress.close())
  await assert.rejects(egress.send({ method: 'GET', url: 'http://127.0.0.1:1/bot-token', timeoutMs: 1_000 }))
  await collector.close()
  const span = await collector.span('GET')
  assert.deepEqual(
    [span.kind, span.status.code, span.attributes['server.address'], span.attributes['error.type']],
    [3, 2, '127.0.0.1', 'refused_address'],
  )
  assert.ok(!collector.stub.requests[0]?.body.includes('bot-token'))
})
