import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

// Which layer may import which. These tables are the documentation; a layer, feature or package that is missing here
// is rejected.
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  console: ['contract'],
  // Published as `patchbay/client`: it runs in browsers and has no dependency.
  client: [],
  'commands.ts': [],
  cli: ['contract', 'commands.ts'],
  platform: ['contract'],
  catalog: ['platform', 'contract'],
  'auth-schemes': ['catalog', 'platform', 'contract'],
  engine: ['auth-schemes', 'catalog', 'platform', 'contract'],
  sandbox: ['platform'],
  features: ['sandbox', 'engine', 'auth-schemes', 'catalog', 'platform', 'contract'],
  app: ['features', 'sandbox', 'engine', 'auth-schemes', 'catalog', 'platform', 'contract'],
  server: ['app', 'features', 'sandbox', 'engine', 'catalog', 'platform', 'contract'],
  admin: ['server', 'app', 'features', 'engine', 'catalog', 'platform', 'contract'],
  'main.ts': ['commands.ts', 'cli', 'server', 'admin', 'platform'],
}
/** Files of a lower layer that a layer may import although the table does not list the whole layer. */
const LAYER_EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  cli: [
    'src/platform/bounded-json.ts',
    'src/platform/crypto/passphrase.ts',
    'src/platform/json-object.ts',
    'src/platform/line-chain.ts',
    'src/platform/nearest-name.ts',
    'src/platform/oauth/index.ts',
    'src/platform/sse.ts',
    'src/platform/webhook-signature.ts',
  ],
}
/** simulation/applications serves toolkits from their manifests: `patchbay toolkits try` and demo projects run it. */
const SIMULATION_LAYERS: readonly string[] = ['catalog', 'platform', 'contract']
/** A feature may use these siblings, by their index.ts only. */
const FEATURES: Readonly<Record<string, readonly string[]>> = {
  alerts: ['audit-log', 'connected-accounts', 'logs', 'projects', 'triggers', 'webhooks'],
  'audit-log': [],
  'auth-configs': [],
  'connected-accounts': ['auth-configs', 'events'],
  budgets: ['events'],
  console: ['audit-log', 'members', 'projects'],
  documentation: [],
  demo: ['projects'],
  events: [],
  files: [],
  incidents: ['connected-accounts'],
  logs: [],
  members: ['projects'],
  'mcp-authorization': ['audit-log', 'connected-accounts'],
  'mcp-servers': ['auth-configs'],
  overview: ['connected-accounts', 'logs', 'policies', 'triggers', 'webhooks'],
  playground: [],
  policies: ['audit-log', 'connected-accounts', 'events', 'sessions', 'webhooks'],
  projects: ['audit-log'],
  'rate-limit-cooldowns': [],
  realtime: ['events', 'triggers'],
  sessions: ['auth-configs', 'connected-accounts', 'events', 'files', 'mcp-servers', 'tools', 'webhooks'],
  system: [],
  toolkits: [],
  tools: [],
  triggers: ['auth-configs', 'connected-accounts', 'events', 'webhooks'],
  users: ['audit-log'],
  webhooks: ['events'],
}
/** A foreign package has its place: who wants to replace it reads these folders only. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  pg: ['src/platform/db/'],
  'sql-template-tag': ['src/platform/db/sql.ts'],
  undici: ['src/platform/egress/'],
  tldts: ['src/engine/http/same-site.ts'],
  'graphile-worker': ['src/platform/jobs/'],
  fastify: [
    'src/platform/http/',
    'src/platform/metrics.ts',
    'src/app/options.ts',
    'src/features/system/',
    'src/features/console/',
    'src/features/documentation/',
    'src/features/policies/approvals/browser-routes.ts',
    'src/features/connected-accounts/pages/',
    'src/features/files/content-routes.ts',
    'src/features/projects/api-keys/leaked-key-routes.ts',
    'src/features/mcp-servers/endpoint/routes.ts',
    'src/features/sessions/endpoint/routes.ts',
    'src/platform/mcp/server/',
    'src/features/mcp-authorization/oauth-endpoints.ts',
    'src/features/mcp-authorization/oauth-routes.ts',
    'src/features/triggers/push/ingress/',
  ],
  '@fastify/cookie': [
    'src/features/connected-accounts/pages/browser-cookie.ts',
    'src/features/console/cookie.ts',
  ],
  '@fastify/formbody': ['src/features/connected-accounts/pages/form-body.ts'],
  ws: ['src/features/realtime/'],
  'fast-json-stringify': ['src/platform/ajv.ts'],
  'prom-client': ['src/platform/prom-client.ts', 'src/platform/prom-client.test.ts'],
  pino: ['src/platform/log.ts'],
  nodemailer: ['src/features/alerts/notify.ts'],
  '@opentelemetry/api': ['src/platform/telemetry/'],
  '@opentelemetry/core': ['src/platform/telemetry/sdk.ts'],
  '@opentelemetry/otlp-transformer': ['src/platform/telemetry/sdk.ts'],
  '@opentelemetry/resources': ['src/platform/telemetry/'],
  '@opentelemetry/sdk-metrics': ['src/platform/telemetry/'],
  '@opentelemetry/sdk-trace-base': ['src/platform/telemetry/'],
  ajv: ['src/platform/ajv.ts', 'src/platform/http/', 'src/catalog/', 'src/engine/'],
  'ajv-formats': ['src/platform/ajv.ts', 'src/catalog/'],
  typebox: ['src/contract/schema-type.ts'],
  'ipaddr.js': ['src/platform/egress/', 'src/features/projects/'],
  'js-yaml': ['src/catalog/importers/'],
  graphql: ['src/catalog/importers/graphql/'],
  'lru-cache': [
    'src/catalog/manifest/load/operations/',
    'src/catalog/manifest/load/lazy/',
    'src/catalog/manifest/load/disk-cache/',
    'src/catalog/manifest/load/tool-cache.ts',
    'src/engine/',
    'src/features/',
    'src/platform/cache.ts',
    'src/platform/crypto/',
    'src/platform/mcp/server/serve.ts',
    'src/platform/safe-pattern/',
  ],
  'just-bash': ['src/sandbox/wasm/'],
  luxon: ['toolkits/utilities/'],
  'csv-parse': ['toolkits/utilities/'],
  'csv-stringify': ['toolkits/utilities/'],
  jmespath: ['src/catalog/', 'toolkits/'],
  oauth4webapi: ['src/auth-schemes/oauth2/', 'src/platform/oauth/'],
  jose: ['src/platform/jose.ts', 'src/auth-schemes/', 'src/features/mcp-authorization/'],
  'oauth-1.0a': ['src/auth-schemes/signing/'],
  aws4: ['src/auth-schemes/signing/', 'src/platform/crypto/kms/'],
  '@aws-sdk/client-s3': ['src/platform/storage/'],
  '@aws-sdk/credential-providers': ['src/platform/storage/', 'src/platform/crypto/kms/'],
  '@aws-sdk/lib-storage': ['src/platform/storage/'],
  'eventsource-parser': [
    'src/platform/sse.ts',
    'src/console/api/event-stream.ts',
    'src/console/pages/mcp/mcp-client.ts',
  ],
  'tar-stream': ['src/admin/packs/tar.ts', 'src/admin/backup/'],
  commander: ['src/cli/'],
  'hash-wasm': ['src/features/members/password.ts'],
  otpauth: ['src/features/members/second-factor.ts'],
  '@noble/hashes': ['src/console/pages/playground/upload-file.ts'],
  '@simplewebauthn/server': ['src/features/members/passkeys/'],
  '@simplewebauthn/browser': ['src/console/sign-in/'],
  esbuild: ['src/server/console/build.ts'],
  react: ['src/console/'],
  'react-dom': ['src/console/'],
  wouter: ['src/console/'],
  '@base-ui/react': ['src/console/'],
  '@tanstack/react-query': ['src/console/'],
  '@tanstack/react-table': ['src/console/'],
  '@tanstack/react-virtual': ['src/console/'],
  '@rjsf/core': ['src/console/components/'],
  '@rjsf/utils': ['src/console/components/'],
  '@cfworker/json-schema': ['src/console/components/'],
  uplot: ['src/console/components/'],
  uqr: ['src/console/components/'],
  '@modelcontextprotocol/server': ['src/platform/mcp/server/', 'src/cli/management-mcp/serve.ts'],
  'wink-porter2-stemmer': ['src/catalog/search/query/tokens.ts'],
}
/** What reaches outside of the program has its place too. */
const CALLS: readonly { what: string; pattern: RegExp; only: readonly string[] }[] = [
  {
    what: 'process.env',
    pattern: /process\.env\b|from 'node:process'/,
    // The console shows it as code, and the bundler replaces it.
    only: [
      'src/platform/config.ts',
      'src/platform/config/',
      // The folders of Windows, which its programs need.
      'src/platform/db/embedded/run-program.ts',
      'src/console/shell/samples/http.ts',
      'src/server/console/build.ts',
    ],
  },
  {
    what: 'process.exit',
    pattern: /process\.(exit|abort|reallyExit)\b/,
    only: ['src/main.ts', 'src/sandbox/wasm/child/main.ts', 'src/server/console/build.child.ts'],
  },
  // The reference page's call is text that a browser runs.
  {
    what: 'fetch(',
    pattern: /(?<![\w.$])(?:globalThis\.)?fetch\(|(?:=|\?\?|\|\|) fetch\b/,
    only: ['src/cli/', 'src/console/', 'src/platform/http/openapi/reference-page.ts'],
  },
  // See src/platform/http/node-http.ts.
  {
    what: 'an import of node:http that is not of types',
    pattern: /\bimport (?!type\b)[^'"]*['"](?:node:)?http['"]/,
    only: ['src/cli/'],
  },
  {
    what: 'an import of a computed name',
    pattern: /\bimport\((?!\s*['"])/,
    only: [
      'src/catalog/manifest/load/read.ts',
      // Modules of a package that the caller names, and those that they import.
      'src/platform/import-in-steps.ts',
      'src/sandbox/wasm/child/main.ts',
    ],
  },
  // A pattern that a manifest, an import or a request brings along runs in platform/safe-pattern only. The other
  // files put constants of the source together.
  {
    what: 'a computed regular expression',
    pattern: /\bRegExp\((?!\s*['"])|\bconstructor\.RegExp\b/,
    only: [
      'src/platform/safe-pattern/index.ts',
      'src/catalog/manifest/load/disk-cache/write.ts',
      'src/catalog/manifest/compile/template/templates.ts',
      'src/catalog/manifest/compile/template/paths.ts',
      'src/catalog/importers/tools/words.ts',
      'src/console/pages/docs/markdown.ts',
      'src/catalog/search/query/tokens.ts',
      'src/catalog/packs/openapi-directory/words.ts',
      'src/platform/config/settings/keys.ts',
      'src/platform/http/server/missing-route.ts',
      'src/platform/secret-detection.ts',
      'src/platform/db/embedded/run-program.ts',
      'src/features/connected-accounts/provider-log/diagnosis-rules/patterns.ts',
      'src/features/connected-accounts/pages/browser-cookie.ts',
      'simulation/applications/',
      'toolkits/utilities/date-patterns.ts',
    ],
  },
]

type Read = (file: string) => string
const IMPORTS = /(?<!['"])\b(?:from|import\s*\(?)\s*['"]([^'"\s]+)['"]/g
const COMMENTS = /^\s*\/\*[^]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm
const within = (file: string, places: readonly string[]) =>
  places.some((place) => (place.endsWith('/') ? file.startsWith(place) : file === place))
const isTest = (file: string) => /\.test\.ts$|^test\//.test(file)

/** One line a breach: the file and what it may not do. */
function breaches(files: readonly string[], read: Read): string[] {
  return files
    .filter((file) => !isTest(file))
    .flatMap((file) => {
      const text = read(file).replace(COMMENTS, '')
      const imports = [...text.matchAll(IMPORTS)].map(([, to = '']) => to)
      return [
        ...imports
          .filter((to) => to.startsWith('.'))
          .map((to) => normalize(join(dirname(file), to)))
          .filter((target) => !mayImport(file, target)),
        ...imports
          .filter((to) => !to.startsWith('.') && !to.startsWith('node:'))
          .filter((to) => !mayUse(file, to)),
        ...CALLS.filter(({ pattern, only }) => pattern.test(text) && !within(file, only)).map(
          ({ what }) => what,
        ),
      ].map((wrong) => `${file} -> ${wrong}`)
    })
}

function mayImport(file: string, target: string): boolean {
  const [root, layer = '', feature = ''] = file.split('/')
  const [targetRoot, targetLayer = '', targetFeature = ''] = target.split('/')
  if (isTest(target)) return false
  if (root === 'toolkits')
    return targetRoot === 'toolkits' ? layer === targetLayer : target === 'src/catalog/code-tool.ts'
  if (root === 'simulation')
    return targetRoot === root || (targetRoot === 'src' && SIMULATION_LAYERS.includes(targetLayer))
  if (targetRoot === 'simulation')
    return ['admin', 'server'].includes(layer) && targetLayer === 'applications'
  if (targetRoot !== 'src' || !Object.hasOwn(LAYERS, layer)) return false
  if (layer === 'features' && targetLayer === 'features' && feature !== targetFeature)
    return Boolean(FEATURES[feature]?.includes(targetFeature)) && target.endsWith('/index.ts')
  if (LAYER_EXCEPTIONS[layer]?.includes(target)) return true
  return layer === targetLayer || Boolean(LAYERS[layer]?.includes(targetLayer))
}

function mayUse(file: string, name: string): boolean {
  const bare = name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] as string)
  return within(file, PACKAGES[bare] ?? [])
}

/** The first way round that comes back to where it began. */
function cycle(
  graph: Readonly<Record<string, readonly string[]>>,
  path: readonly string[] = [],
): readonly string[] | undefined {
  const next = path.length ? (graph[path.at(-1) as string] ?? []) : Object.keys(graph)
  for (const name of next) {
    if (path.includes(name)) return [...path, name]
    const found = cycle(graph, [...path, name])
    if (found) return found
  }
  return undefined
}

const files = globSync(['src/**/*.{ts,tsx}', 'toolkits/**/*.ts', 'simulation/applications/**/*.ts'])

test('imports point down the layers, packages and dangerous calls stay in their places', () => {
  assert.ok(files.length > 200, 'the sources were found')
  assert.deepEqual(
    breaches(files, (file) => readFileSync(file, 'utf8')),
    [],
  )
})

test('every feature and every layer that exists is in the tables, and neither table has a cycle', () => {
  assert.deepEqual(
    globSync('src/features/*')
      .map((path) => path.split('/')[2])
      .sort(),
    Object.keys(FEATURES).sort(),
  )
  assert.deepEqual(
    globSync('src/*')
      .map((path) => path.split('/')[1])
      .filter((name) => !isTest(name as string))
      .sort(),
    Object.keys(LAYERS).sort(),
  )
  for (const table of [LAYERS, FEATURES]) assert.equal(cycle(table), undefined)
  assert.deepEqual(cycle({ a: ['b'], b: ['c'], c: ['a'] }), ['a', 'b', 'c', 'a'])
})

const PLANTED: readonly [file: string, text: string, isBreach: boolean][] = [
  ['src/platform/log.ts', "import { x } from '../features/logs/index.ts'", true],
  ['src/platform/log.ts', "import type { Route } from '../contract/route.ts'", false],
  ['src/catalog/manifest/load/read.ts', "export { x } from '../../../auth-schemes/index.ts'", true],
  ['src/auth-schemes/basic.ts', "export * from '../catalog/index.ts'", false],
  ['src/engine/execute.ts', "const { x } = await import('../features/tools/index.ts')", true],
  ['src/engine/execute.ts', "type X = import('../app/create-app.ts').App", true],
  ['src/features/tools/routes.ts', "import '../projects/index.ts'", true],
  ['src/features/connected-accounts/credentials.ts', "import { x } from '../auth-configs/index.ts'", false],
  ['src/features/connected-accounts/credentials.ts', "import { x } from '../auth-configs/store.ts'", true],
  ['src/features/connected-accounts/credentials.ts', "import {\n  x,\n  y,\n} from '../logs/index.ts'", true],
  ['src/features/tools/routes.ts', "import pg from 'pg'", true],
  ['src/platform/db/pool.ts', "import pg from 'pg'", false],
  ['src/contract/route.ts', "import { Ajv } from 'ajv/dist/2020.js'", true],
  [
    'src/contract/route.ts',
    "import { readFileSync } from 'node:fs'\nimport { log } from '../platform/log.ts'",
    true,
  ],
  ['src/cli/api-client/call.ts', "import { log } from '../../platform/log.ts'", true],
  ['src/engine/execute.ts', "await fetch('http://a.example')", true],
  ['src/engine/execute.ts', 'const request = options.fetch ?? fetch', true],
  ['src/engine/execute.ts', 'await options.fetch(1)', false],
  ['src/engine/execute.ts', "const key = process.env['KEY']", true],
  ['src/engine/execute.ts', '// process.env is read elsewhere', false],
  ['src/server/start.ts', 'process.exit(1)', true],
  ['src/server/start.ts', "import { testApp } from '../../test/fixtures/app.ts'", true],
  ['src/catalog/manifest/compile/toolkit.ts', "import { x } from '#fixtures/app.ts'", true],
  ['src/catalog/manifest/compile/toolkit.ts', 'await import(name)', true],
  ['src/engine/execute.ts', "import { x } from '../../simulation/applications/index.ts'", true],
  ['src/admin/try/simulated-run.ts', "import { x } from '../../../simulation/applications/index.ts'", false],
  ['src/engine/execute.ts', 'return new RegExp(`^${field.pattern}$`).test(value)', true],
  ['src/engine/execute.ts', "return RegExp('^a$').test(value)", false],
  ['src/somewhere/new.ts', "import { x } from '../contract/route.ts'", true],
  ['toolkits/gmail/read.ts', "import { x } from '../slack/tools.ts'", true],
  ['toolkits/gmail/read.ts', "import { ToolFailure } from '../../src/catalog/code-tool.ts'", false],
]

test('the checker sees planted breaches and nothing else', () => {
  for (const [file, text, isBreach] of PLANTED)
    assert.equal(breaches([file], () => text).length > 0, isBreach, `${file}: ${text}`)
})
