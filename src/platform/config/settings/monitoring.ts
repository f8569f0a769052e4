import { mailServerUrl, matching, oneOf, optional, publicUrl, wholeNumber } from '../rules.ts'
import { hostPatterns, pairs, share } from '../telemetry-rules.ts'
import type { SomeSettings } from './setting.ts'

/** Settings of metrics, alerts, traces and log lines. */
export const monitoringSettings = {
  metricsToken: {
    name: 'METRICS_TOKEN',
    rule: optional(matching(/^[\x21-\x7e]{16,256}$/, '16 to 256 printable characters without spaces')),
    default: '',
    defaultMeans: '/metrics responds to requests from this machine only',
    example: '<output of: openssl rand -hex 32>',
    secret: true,
    description: 'The token that /metrics requires, as `Authorization: Bearer <token>`.',
  },
  smtpUrl: {
    name: 'SMTP_URL',
    rule: optional(mailServerUrl),
    default: '',
    defaultMeans: 'alerts are not sent by email',
    example: 'smtp://user:password@mail.example.com:587',
    secret: true,
    description:
      'The mail server that sends alerts. `smtps://` uses TLS from the start, `smtp://` if the server offers it.',
  },
  smtpFrom: {
    name: 'SMTP_FROM',
    rule: optional(matching(/^[^\r\n]{3,200}$/, 'an email address, with an optional name in front')),
    default: '',
    defaultMeans: 'required with SMTP_URL',
    example: 'Patchbay <patchbay@example.com>',
    description: 'The sender of alerts.',
  },
  otlpEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'no traces are recorded, and metrics are only at /metrics',
    example: 'http://collector.example.com:4318',
    description:
      'The URL of an OpenTelemetry collector that accepts OTLP over HTTP. Traces go to `/v1/traces` below it, ' +
      'metrics to `/v1/metrics`.',
  },
  otlpHeaders: {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    rule: pairs,
    default: '',
    defaultMeans: 'none',
    example: 'authorization=Bearer%20<token>',
    secret: true,
    description: 'Headers for the collector, such as the key of a monitoring service.',
  },
  otlpProtocol: {
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    rule: oneOf('http/protobuf', 'http/json'),
    default: 'http/protobuf',
    description: 'The encoding of traces and metrics.',
  },
  otlpServiceName: {
    name: 'OTEL_SERVICE_NAME',
    rule: matching(/^[\w.:/-]{1,100}$/, '1 to 100 letters, digits and . _ : / -'),
    default: 'patchbay',
    description: 'The name of this program in traces and metrics.',
  },
  otlpResourceAttributes: {
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    rule: pairs,
    default: '',
    defaultMeans: 'none',
    example: 'deployment.environment.name=production',
    description: 'Attributes of all traces and metrics of this process.',
  },
  otlpSampledShare: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    rule: share,
    default: '1',
    description:
      'The share of traces that is recorded, from 0 to 1. A request with a `traceparent` header is recorded if its ' +
      'caller records it.',
  },
  otlpMetricIntervalMs: {
    name: 'OTEL_METRIC_EXPORT_INTERVAL',
    rule: wholeNumber(1_000, 3_600_000),
    default: '60000',
    description: 'The time between two exports of metrics, in milliseconds.',
  },
  tracePropagationHosts: {
    name: 'TRACE_PROPAGATION_HOSTS',
    rule: hostPatterns,
    default: '',
    defaultMeans: 'none',
    example: 'api.internal.example.com,*.example.org',
    description:
      'Hosts of applications whose requests carry `traceparent`, so that their traces continue ours. Other ' +
      'applications never see ids of traces.',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    rule: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    description: 'The lowest level of log lines that are written.',
  },
} satisfies SomeSettings
