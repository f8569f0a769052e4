import {
  allowList,
  directory,
  matching,
  oneOf,
  optional,
  proxyList,
  publicUrl,
  wholeNumber,
} from '../rules.ts'
import type { SomeSettings } from './setting.ts'

/** Settings of requests: where they may go, recordings, and the limits of callers. */
export const requestsSettings = {
  egressAllow: {
    name: 'EGRESS_ALLOW',
    rule: allowList,
    default: '',
    defaultMeans: 'public IP addresses only',
    example: '10.0.0.0/8,[fd00::1]:8443,jira.internal:443',
    description:
      'The destinations that requests to providers, webhooks and proxies may reach in addition to public ' +
      'IP addresses. A host name allows every IP address it resolves to, for that name only.',
  },
  simulatorUrl: {
    name: 'SIMULATOR_URL',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'none',
    example: 'http://127.0.0.1:9400',
    description:
      'For tests and demos: the URL of a simulator (`npm run simulate`) that receives every request to ' +
      'an application or provider, with its credentials. No application is called. See ' +
      'docs/guides/test-an-agent-offline.md.',
  },
  recordFile: {
    name: 'RECORD_FILE',
    rule: optional(directory),
    default: '',
    defaultMeans: 'none',
    example: 'recording.jsonl',
    description:
      'For tests: the file to which this process writes every execution, without secrets. `patchbay ' +
      'record` sets it. Keep the file private: it contains responses of applications.',
  },
  recordProject: {
    name: 'RECORD_PROJECT',
    rule: optional(matching(/^pr_[A-Za-z0-9_-]+$/, 'the id of a project, `pr_…`')),
    default: '',
    defaultMeans: 'every project',
    example: 'pr_Xy12',
    description: 'The project whose executions are written to RECORD_FILE.',
  },
  replayFile: {
    name: 'REPLAY_FILE',
    rule: optional(directory),
    default: '',
    defaultMeans: 'none',
    example: 'recording.jsonl',
    description:
      'For tests: the recording from which executions are answered. No connected account is needed and ' +
      'no application is called. `patchbay replay` sets it.',
  },
  consentPage: {
    name: 'CONSENT_PAGE',
    rule: oneOf('managed', 'always'),
    default: 'managed',
    description:
      'Which sign-ins at a provider start with a page of this server that names the application, the toolkit and the ' +
      'user: those with a managed OAuth app, which all projects share, or all of them (`always`).',
  },
  validateCredentials: {
    name: 'VALIDATE_CREDENTIALS',
    rule: oneOf('on', 'request'),
    default: 'on',
    description:
      'When credentials that a client sends to `POST /connected_accounts` are tried at the application before they ' +
      'are stored: always, if the toolkit has a request for that (`on`), or only with `validate_credentials: true` ' +
      '(`request`). Only a rejection is an error; an application that does not respond leaves the account with ' +
      '`verified: false`.',
  },
  unknownFields: {
    name: 'UNKNOWN_FIELDS',
    rule: oneOf('reject', 'warn'),
    default: 'reject',
    description:
      'What happens to body fields and query parameters that an operation of `/api/v3.1` does not declare: the ' +
      'request is rejected with the name that was probably meant, or runs without them, with the header ' +
      '`x-patchbay-warning` and an entry in the log. `/api/v3` always warns.',
  },
  rateLimitPerMinute: {
    name: 'RATE_LIMIT_PER_MINUTE',
    rule: wholeNumber(0, 100_000_000),
    default: '10000',
    description:
      'The number of requests that an organization may make in a minute, with all its keys and on all ' +
      'servers. 0 is no limit.',
  },
  projectRateLimitPerMinute: {
    name: 'PROJECT_RATE_LIMIT_PER_MINUTE',
    rule: wholeNumber(0, 100_000_000),
    default: ({ rateLimitPerMinute }) => Math.ceil((rateLimitPerMinute ?? 0) * 0.8),
    defaultMeans: '80 % of RATE_LIMIT_PER_MINUTE',
    example: '2000',
    description:
      'The number of requests that one project may make in a minute, so that it cannot use up the limit of its ' +
      'organization. 0 is no limit.',
  },
  keyRateLimitPerMinute: {
    name: 'KEY_RATE_LIMIT_PER_MINUTE',
    rule: wholeNumber(0, 100_000_000),
    default: ({ projectRateLimitPerMinute }) => projectRateLimitPerMinute ?? 0,
    defaultMeans: 'PROJECT_RATE_LIMIT_PER_MINUTE',
    example: '1000',
    description: 'The number of requests that one key of a project may make in a minute. 0 is no limit.',
  },
  projectRateLimitPerSecond: {
    name: 'PROJECT_RATE_LIMIT_PER_SECOND',
    rule: wholeNumber(0, 10_000_000),
    default: ({ projectRateLimitPerMinute }) => Math.ceil((projectRateLimitPerMinute ?? 0) / 20),
    defaultMeans: 'a twentieth of PROJECT_RATE_LIMIT_PER_MINUTE',
    example: '400',
    description:
      'The number of requests that one project may make in a second on one server, so that it cannot send the ' +
      'requests of a minute at once. 0 is no limit.',
  },
  projectConcurrency: {
    name: 'PROJECT_CONCURRENCY',
    rule: wholeNumber(0, 64),
    default: '8',
    description:
      'The number of requests of one project that a server works on at the same time while other projects are ' +
      'active. Further ones wait, and projects take turns. Requests that wait for an application are not counted, ' +
      'and a project that is alone is not limited. 0 is no limit and no turns.',
  },
  projectQueueMax: {
    name: 'PROJECT_QUEUE_MAX',
    rule: wholeNumber(1, 100_000),
    default: '256',
    description:
      'The number of requests of one project that may wait for PROJECT_CONCURRENCY on a server. Further ones are ' +
      'rejected with status 429.',
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    rule: proxyList,
    default: '',
    defaultMeans: 'none: X-Forwarded-For is ignored',
    example: '10.0.0.0/8,192.0.2.7',
    description:
      'The IP addresses and CIDR ranges of the reverse proxies in front of this server. Their X-Forwarded-For header ' +
      'has the IP address of the client, which the limits of failed keys, `allowed_ips` of keys and the limits of ' +
      'registrations use. Without it, all clients behind a proxy share one IP address.',
  },
} satisfies SomeSettings
