import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { problemsOf, settingsDirectory } from '#fixtures/config.ts'
import { environmentWarnings, loadConfig, readConfig } from './config.ts'
import { configurationPage, envExample } from './config/reference.ts'
import { settings } from './config/settings.ts'

const key = 'A'.repeat(43) + '='

const DEFAULTS = {
  port: 3900,
  host: '127.0.0.1',
  publicUrl: 'http://localhost:3900',
  dataDir: '/srv/.patchbay',
  sharedCacheDir: '/srv/.patchbay/cache',
  databaseUrl: undefined,
  databaseDirectUrl: undefined,
  databaseReadUrl: undefined,
  databasePoolMax: 10,
  responseMegabytesMax: 256,
  role: 'all',
  workers: 1,
  monitoringPort: undefined,
  auditRetentionDays: 400,
  workbenchDriver: 'wasm',
  workbenchHoursMax: 24,
  workbenchIdleMinutes: 10,
  workbenchMegabytesPerSession: 1000,
  workbenchPackagesDir: undefined,
  workbenchRemoteToken: undefined,
  workbenchRemoteUrl: undefined,
  workbenchMemoryMegabytes: undefined,
  workbenchSandboxesMax: 20,
  workbenchSearchTool: undefined,
  workbenchWarm: 1,
  wireBrand: 'service',
  encryptionKeys: undefined,
  kmsKey: undefined,
  kmsEndpoint: undefined,
  vaultToken: undefined,
  googleCredentialsFile: undefined,
  bootstrapProjectApiKey: undefined,
  bootstrapOrgApiKey: undefined,
  managedAuthFile: undefined,
  managedAuth: undefined,
  toolkitsDir: undefined,
  toolkitsReplace: [],
  egressAllow: [],
  consentPage: 'managed',
  unknownFields: 'reject',
  validateCredentials: 'on',
  rowLevelSecurity: 'auto',
  simulatorUrl: undefined,
  recordFile: undefined,
  recordProject: undefined,
  replayFile: undefined,
  rateLimitPerMinute: 10_000,
  projectRateLimitPerMinute: 8_000,
  keyRateLimitPerMinute: 8_000,
  projectRateLimitPerSecond: 400,
  projectConcurrency: 8,
  projectQueueMax: 256,
  trustedProxies: [],
  metricsToken: undefined,
  smtpUrl: undefined,
  smtpFrom: undefined,
  otlpEndpoint: undefined,
  otlpHeaders: {},
  otlpProtocol: 'http/protobuf',
  otlpServiceName: 'patchbay',
  otlpResourceAttributes: {},
  otlpSampledShare: 1,
  otlpMetricIntervalMs: 60_000,
  tracePropagationHosts: [],
  llmGatewayHeaders: [
    'x-request-id',
    'x-trace-id',
    'traceparent',
    'tracestate',
    'baggage',
    'x-portkey-metadata',
    'x-portkey-trace-id',
    'helicone-user-id',
    'helicone-session-*',
    'helicone-property-*',
    'cf-aig-metadata',
    'langfuse-*',
  ],
  logRetentionDays: 30,
  webhookRetrySeconds: [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000],
  logLevel: 'info',
  filesPublicUrl: undefined,
  ...{ fileMegabytesMax: 100, filesMegabytesPerProject: 10_000, fileRetentionHours: 24 },
  ...{ filesS3Bucket: undefined, filesS3Endpoint: undefined },
  filesS3Region: 'us-east-1',
  ...{ filesS3AccessKeyId: undefined, filesS3SecretAccessKey: undefined, filesS3SessionToken: undefined },
  filesS3PathStyle: 'false',
  llmBaseUrl: undefined,
  ...{ embeddingsBaseUrl: undefined, embeddingsModel: undefined },
  ...{ embeddingsApiKey: undefined, embeddingsDimensions: undefined },
  llmApiKey: undefined,
  llmModel: undefined,
  console: 'on',
  consoleDev: '0',
  consoleOidcIssuer: undefined,
  consoleOidcClientId: undefined,
  consoleOidcClientSecret: undefined,
  consoleOidcName: 'single sign-on',
  consoleOidcScopes: 'openid email profile',
  consoleOidcAllowedDomains: [],
  consoleOidcTrustEmail: '0',
  consoleOidcRoleClaim: 'groups',
  consoleOidcRoleMap: {},
  consoleOidcDefaultRole: 'none',
  consoleOidcOnly: '0',
}

test('settings: no setting is required', () => {
  assert.deepEqual(readConfig({}, '/srv'), DEFAULTS)
})

test('settings: every setting is read under both names', () => {
  const config = readConfig({
    PATCHBAY_PORT: '8080',
    HOST: '::',
    DATA_DIR: '/data',
    DATABASE_URL: 'postgresql://u:p%23@db:5432/x',
    DATABASE_POOL_MAX: '50',
    PATCHBAY_ROLE: 'work',
    WIRE_BRAND: 'acme1',
    ENCRYPTION_KEYS: `b:${key},a:${key}`,
    BOOTSTRAP_PROJECT_API_KEY: 'ak_0123456789abcdef0123456789abcdef',
    BOOTSTRAP_ORG_API_KEY: 'oak_0123456789abcdef0123456789abcdef',
    EGRESS_ALLOW: '10.0.0.0/8,db:5432',
    RATE_LIMIT_PER_MINUTE: '0',
    WEBHOOK_RETRY_SECONDS: '0.5, 60',
    LOG_LEVEL: 'silent',
  })
  assert.equal(config.publicUrl, 'http://localhost:8080')
  assert.deepEqual(
    [
      config.host,
      config.dataDir,
      config.databasePoolMax,
      config.role,
      config.wireBrand,
      config.rateLimitPerMinute,
      config.webhookRetrySeconds,
      config.logLevel,
    ],
    ['::', '/data', 50, 'work', 'acme1', 0, [0.5, 60], 'silent'],
  )
  assert.equal(config.encryptionKeys?.encryptionKeyId, 'b')
  assert.deepEqual(config.egressAllow, [
    { kind: 'range', address: '10.0.0.0', bits: 8 },
    { kind: 'host', host: 'db', port: 5432 },
  ])
})

test('settings: the long name has priority, and an empty value counts as none', () => {
  assert.equal(readConfig({ PORT: '1', PATCHBAY_PORT: '2' }).port, 2)
  assert.equal(readConfig({ PORT: '1', PATCHBAY_PORT: '' }).port, 1)
  assert.equal(readConfig({ PORT: '' }).port, 3900)
})

test('settings: the limits of a project and of a key follow that of the organization', () => {
  const limits = (env: Record<string, string>) => {
    const { projectRateLimitPerMinute: project, keyRateLimitPerMinute: key } = readConfig(env)
    return [project, key]
  }
  assert.deepEqual(limits({}), [8_000, 8_000])
  assert.deepEqual(limits({ RATE_LIMIT_PER_MINUTE: '0' }), [0, 0])
  assert.deepEqual(limits({ RATE_LIMIT_PER_MINUTE: '1', KEY_RATE_LIMIT_PER_MINUTE: '7' }), [1, 7])
  assert.deepEqual(readConfig({ TRUSTED_PROXIES: ' 10.0.0.0/8, ::1,' }).trustedProxies, ['10.0.0.0/8', '::1'])
  assert.deepEqual(readConfig({ LLM_GATEWAY_HEADERS: 'X-Team,x-a-*' }).llmGatewayHeaders, ['x-team', 'x-a-*'])
})

test('settings: slashes at the end of a public URL are removed', () => {
  const cases = {
    'https://a.example/': 'https://a.example',
    'https://a.example:8443/base//': 'https://a.example:8443/base',
    'HTTP://A.example:80': 'http://a.example',
  }
  for (const [source, expected] of Object.entries(cases))
    assert.equal(readConfig({ PUBLIC_URL: source }).publicUrl, expected)
})

test('settings: an invalid value is rejected under the name of its variable', () => {
  const wrong: Record<string, string[]> = {
    PORT: ['-1', '65536', '80.5', '0x50', 'http', ' 80', '1e3'],
    HOST: ['0.0.0.0:80', 'a b', '[::]', 'http://a'],
    PUBLIC_URL: [
      'a.example',
      'ftp://a.example',
      'https://u@a.example',
      'https://a.example/?x',
      'https://a.example/#x',
    ],
    DATABASE_URL: ['mysql://a/b', 'localhost', 'postgres://u:p@h:port/x'],
    DATABASE_POOL_MAX: ['0', '1001', 'ten'],
    ROLE: ['worker', 'ALL'],
    WIRE_BRAND: ['a', 'Acme', '1a', 'a-b', 'a'.repeat(32)],
    ENCRYPTION_KEYS: [key, 'a:AAAA', `a:${key},a:${key}`],
    KMS_KEY: ['aws-kms:1234', 'vault:https://vault.example', 'x'],
    KMS_ENDPOINT: ['kms.example', 'https://kms.example/path', 'ftp://kms.example'],
    BOOTSTRAP_PROJECT_API_KEY: [
      'ak_0123456789abcdef0123456789abcde',
      'oak_0123456789abcdef0123456789abcdef',
      'ak_0123456789abcdef0123456789abcde!',
    ],
    TRUSTED_PROXIES: ['0.0.0.0/0', '::/0', 'proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '*'],
    METRICS_TOKEN: ['short', 'with a space 0123456789'],
    LLM_GATEWAY_HEADERS: ['*', 'a b', 'x-*-y'],
    BOOTSTRAP_ORG_API_KEY: ['ak_0123456789abcdef0123456789abcdef'],
    EGRESS_ALLOW: ['10.0.0.0/99', '*'],
    MANAGED_AUTH: ['x', '[]', '{"a":1}', '{"a":{"OAUTH2":{"client_id":1}}}'],
    MANAGED_AUTH_FILE: ['/nowhere/at/all'],
    RATE_LIMIT_PER_MINUTE: ['-1', 'off'],
    WEBHOOK_RETRY_SECONDS: ['5,,6', '5,-1', '86401', '1e3', '5;6', Array(21).fill('1').join()],
    LOG_LEVEL: ['warning', 'INFO'],
  }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      for (const variable of [name, `PATCHBAY_${name}`]) {
        const problems = problemsOf(() => readConfig({ [variable]: value }))
        assert.equal(problems.length, 1)
        assert.ok(problems[0]!.startsWith(`${variable} must be `), problems[0])
      }
    }
  }
})

test('settings: all problems are listed together', () => {
  assert.deepEqual(
    problemsOf(() =>
      readConfig({ PORT: 'x', PATCHBAY_ROLE: 'boss', PATCHBAY_PROT: '1', PATHCBAY_PORT: '1' }),
    ),
    [
      'PATCHBAY_PROT is not a setting. Did you mean PATCHBAY_PORT?',
      'PORT must be a whole number from 0 to 65535, not "x".',
      'PATCHBAY_ROLE must be one of all, serve, work, not "boss".',
    ],
  )
})

test('settings: no message contains the value of a secret', () => {
  const secrets = Object.values(settings)
    .filter(({ secret }) => secret)
    .map(({ name }) => name)
  assert.deepEqual(secrets, [
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'DATABASE_READ_URL',
    'ENCRYPTION_KEYS',
    'VAULT_TOKEN',
    'BOOTSTRAP_PROJECT_API_KEY',
    'BOOTSTRAP_ORG_API_KEY',
    'MANAGED_AUTH',
    'FILES_S3_SECRET_ACCESS_KEY',
    'FILES_S3_SESSION_TOKEN',
    'LLM_API_KEY',
    'EMBEDDINGS_API_KEY',
    'WORKBENCH_REMOTE_TOKEN',
    'METRICS_TOKEN',
    'SMTP_URL',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'CONSOLE_OIDC_CLIENT_SECRET',
  ])
  const value = fc.string({ minLength: 6 }).map((text) => `s3cret , ${text}`)
  fc.assert(
    fc.property(fc.constantFrom(...secrets), value, (name, text) => {
      for (const problem of problemsOf(() => readConfig({ [name]: text })))
        assert.ok(!problem.includes('s3cret'))
    }),
  )
})

test('settings: variables of other programs and of Kubernetes are ignored', () => {
  const config = readConfig({
    PATH: '/bin',
    HOSTNAME: 'x',
    PATCHBAY_URL: 'http://a',
    PATCHBAY_API_KEY: 'ak_x',
    PATCHBAY_ORG_API_KEY: 'oak_x',
    PATCHBAY_SERVICE_HOST: '10.0.0.1',
    PATCHBAY_SERVICE_PORT: '3900',
    PATCHBAY_SERVICE_PORT_HTTP: '3900',
    PATCHBAY_PORT: 'tcp://10.0.0.1:3900',
    PATCHBAY_PORT_3900_TCP: 'tcp://10.0.0.1:3900',
    PATCHBAY_PORT_3900_TCP_PROTO: 'tcp',
    PATCHBAY_PORT_3900_TCP_PORT: '3900',
    PATCHBAY_PORT_3900_TCP_ADDR: '10.0.0.1',
    PATCHBAY_POSTGRES_SERVICE_HOST: '10.0.0.2',
    PATCHBAY_POSTGRES_PORT: 'tcp://10.0.0.2:5432',
    PATCHBAY_POSTGRES_PORT_5432_TCP: 'tcp://10.0.0.2:5432',
    PORT: '4000',
  })
  assert.equal(config.port, 4000)
})

test('settings: the environment has priority over .env under both names', (t) => {
  const cwd = settingsDirectory(
    t,
    '\uFEFF# mine\nPORT=1\nexport ROLE="work"\nPATCHBAY_LOG_LEVEL=debug\nHOST=0.0.0.0\n',
  )
  const config = loadConfig(cwd, { PATCHBAY_PORT: '2', LOG_LEVEL: 'warn', HOST: '', OTHER: 'x' })
  assert.deepEqual(
    [config.port, config.role, config.logLevel, config.host, config.dataDir],
    [2, 'work', 'warn', '0.0.0.0', join(cwd, '.patchbay')],
  )
  assert.equal(loadConfig(settingsDirectory(t), {}).port, 3900)
})

test('settings: an unknown name in .env is a problem, shown without its value', (t) => {
  const cwd = settingsDirectory(t, 'DATABSE_URL=postgres://u:s3cret@h/d\nGREETING=s3cret\nPORT=x\n')
  assert.deepEqual(
    problemsOf(() => loadConfig(cwd, { PATCHBAY_HOTS: 's3cret' })),
    [
      `DATABSE_URL in ${join(cwd, '.env')} is not a setting. Did you mean DATABASE_URL?`,
      `GREETING in ${join(cwd, '.env')} is not a setting.`,
      'PATCHBAY_HOTS is not a setting. Did you mean PATCHBAY_HOST?',
      'PORT must be a whole number from 0 to 65535, not "x".',
    ],
  )
})

test('settings: an unreadable .env is a problem', (t) => {
  const cwd = settingsDirectory(t)
  mkdirSync(join(cwd, '.env'))
  assert.match(problemsOf(() => loadConfig(cwd, {}))[0]!, /\.env cannot be read \(EISDIR\)/)
})

test('settings: .env.example and the reference match the table, and a copy of the example changes nothing', (t) => {
  const root = join(import.meta.dirname, '../..')
  assert.equal(
    readFileSync(join(root, '.env.example'), 'utf8'),
    envExample(),
    'run scripts/write-config-reference.ts',
  )
  assert.equal(
    readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8'),
    configurationPage(),
    'run scripts/write-config-reference.ts',
  )
  const cwd = settingsDirectory(t, envExample())
  assert.deepEqual(loadConfig(cwd, {}), readConfig({}, cwd))
})

test('settings: a variable that differs from a setting by one letter is reported, any other is not', () => {
  assert.deepEqual(
    environmentWarnings({
      EGRESS_ALOW: '1',
      DATABASE_URL: 'x',
      LOGNAME: 'ada',
      POST: '1',
      DATABASE_URLS: '',
    }),
    ['EGRESS_ALOW has no effect. Did you mean EGRESS_ALLOW?'],
  )
})
