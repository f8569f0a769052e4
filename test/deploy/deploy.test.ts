import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { load, loadAll, YAML11_SCHEMA } from 'js-yaml'
import { readConfig } from '../../src/platform/config.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** Docker Compose reads `<<`, which YAML 1.2 no longer has. */
const MERGE_KEYS = { schema: YAML11_SCHEMA }

type Variables = Record<string, string>
/** Values for the variables that the files leave to the administrator. */
const CHOSEN: Variables = {
  POSTGRES_PASSWORD: 'a1b2c3',
  STORE_PASSWORD: 'd4e5f6a7b8',
  METRICS_TOKEN: 'm'.repeat(48),
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  BOOTSTRAP_PROJECT_API_KEY: '',
  BOOTSTRAP_ORG_API_KEY: '',
}
const SECRET: Variables = {
  DATABASE_URL: 'postgres://patchbay:a1b2c3@postgres:5432/patchbay',
  ENCRYPTION_KEYS: CHOSEN['ENCRYPTION_KEYS']!,
  METRICS_TOKEN: CHOSEN['METRICS_TOKEN']!,
  FILES_S3_ACCESS_KEY_ID: 'id',
  FILES_S3_SECRET_ACCESS_KEY: 'secret',
}

/** The settings that the image sets with ENV. */
function imageSettings(): Variables {
  const [, line = ''] = /^ENV (.+)$/m.exec(read('Dockerfile')) ?? []
  const pairs = line.split(' ').map((pair) => pair.split('=') as [string, string])
  return Object.fromEntries(pairs.filter(([name]) => !['NODE_ENV', 'HOME', 'XDG_CACHE_HOME'].includes(name)))
}

interface Compose {
  services: Record<
    string,
    { build?: string; environment?: Variables; volumes?: string[]; depends_on?: object }
  >
  volumes: Record<string, unknown>
}

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}` as Docker Compose does. */
const interpolate = (text: string) =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name: string, kind: string, rest: string) => {
    const value = CHOSEN[name]
    if (value === undefined && kind === '-') return rest
    assert.ok(value !== undefined, `${name} is neither in example.env nor has a default`)
    return value
  })

test('compose.yaml: every setting of the server and the worker is known and valid', () => {
  const compose = load(interpolate(read('deploy/compose/compose.yaml')), MERGE_KEYS) as Compose
  for (const name of ['server', 'worker']) {
    const config = readConfig({ ...imageSettings(), ...compose.services[name]?.environment }, '/data')
    assert.equal(config.role, name === 'server' ? 'serve' : 'work')
    assert.equal(config.filesS3Bucket, 'patchbay')
    assert.equal(config.monitoringPort, 9464)
  }
})

test('compose.yaml: volumes and dependencies that it names exist, and example.env names every variable', () => {
  const text = read('deploy/compose/compose.yaml')
  const compose = load(interpolate(text), MERGE_KEYS) as Compose
  const example = read('deploy/compose/example.env')
  for (const [, name] of text.matchAll(/\$\{(\w+)/g)) assert.match(example, new RegExp(`^#?${name}=`, 'm'))
  for (const [name, { volumes = [], depends_on = {}, build }] of Object.entries(compose.services)) {
    for (const volume of volumes) {
      const [source = ''] = volume.split(':')
      if (source.startsWith('./'))
        assert.ok(existsSync(join(ROOT, 'deploy/compose', source)), `${name}: ${source}`)
      else assert.ok(source in compose.volumes, `${name} uses the volume ${source}`)
    }
    for (const other of Object.keys(depends_on))
      assert.ok(other in compose.services, `${name} needs ${other}`)
    if (build) assert.ok(existsSync(join(ROOT, 'deploy/compose', build, 'Dockerfile')))
  }
})

interface Resource {
  kind: string
  metadata: { name: string }
  data?: Variables
  spec: {
    selector?: { matchLabels?: Variables }
    scaleTargetRef?: { name: string }
    template?: { metadata: { labels: Variables }; spec: Pod }
  }
}
interface Pod {
  securityContext: { runAsUser: number }
  containers: {
    env: { name: string; value: string }[]
    ports: { name: string; containerPort: number }[]
    securityContext: object
    volumeMounts: { name: string; mountPath: string }[]
    [probe: string]: unknown
  }[]
  volumes: { name: string }[]
}

const kubernetes = (): Resource[] => {
  const { resources } = load(read('deploy/kubernetes/kustomization.yaml')) as { resources: string[] }
  const files = globSync('*.yaml', { cwd: join(ROOT, 'deploy/kubernetes') })
  assert.deepEqual(resources.toSorted(), files.filter((file) => file !== 'kustomization.yaml').toSorted())
  return resources.flatMap((file) => loadAll(read(`deploy/kubernetes/${file}`)) as Resource[])
}

test('Kubernetes: the settings of each Deployment are known and valid', () => {
  const resources = kubernetes()
  const map = resources.find(({ kind }) => kind === 'ConfigMap')?.data
  const roles = resources
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec }) => {
      const own = spec.template!.spec.containers[0]!.env.map(({ name, value }) => [name, value])
      return readConfig({ ...imageSettings(), ...map, ...SECRET, ...Object.fromEntries(own) }, '/data').role
    })
  assert.deepEqual(roles, ['serve', 'work'])
})

test('Kubernetes: probes use ports and paths that exist, selectors match, and containers are confined', () => {
  const resources = kubernetes()
  const deployments = resources.filter(({ kind }) => kind === 'Deployment')
  const [, uid] = /^USER (\d+)/m.exec(read('Dockerfile')) ?? []
  for (const { metadata, spec } of deployments) {
    const { labels } = spec.template!.metadata
    const pod = spec.template!.spec
    const container = pod.containers[0]!
    assert.deepEqual(labels, spec.selector?.matchLabels, metadata.name)
    assert.equal(pod.securityContext.runAsUser, Number(uid))
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { httpGet } = container[probe] as { httpGet: { path: string; port: string } }
      assert.ok(['/healthz', '/readyz'].includes(httpGet.path))
      const port = container.ports.find(({ name }) => name === httpGet.port)?.containerPort
      assert.equal(port, Number(imageSettings()['MONITORING_PORT']))
    }
    const volumes = pod.volumes.map(({ name }) => name)
    for (const { name } of container.volumeMounts) assert.ok(volumes.includes(name))
    assert.ok(container.volumeMounts.some(({ mountPath }) => mountPath === imageSettings()['DATA_DIR']))
  }
  const names = deployments.map(({ metadata }) => metadata.name)
  for (const { kind, spec } of resources)
    if (kind === 'HorizontalPodAutoscaler') assert.ok(names.includes(spec.scaleTargetRef!.name))
})

test('host files: their settings are known and valid', () => {
  const [service] = (
    load(read('deploy/hosts/render.yaml')) as {
      services: { dockerfilePath: string; envVars: { key: string; value?: string }[] }[]
    }
  ).services
  const render = service!.envVars.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value]]))
  const asked = service!.envVars.filter(({ value }) => value === undefined).map(({ key }) => key)
  assert.deepEqual(asked, ['DATABASE_URL', 'ENCRYPTION_KEYS', 'PUBLIC_URL'])
  readConfig({ ...imageSettings(), ...Object.fromEntries(render) }, '/data')

  const fly = read('deploy/hosts/fly.toml')
  const [, env = ''] = /^\[env\]\n([^[]*)/m.exec(fly) ?? []
  const variables = [...env.matchAll(/^(\w+) = "(.*)"$/gm)].map(([, name, value]) => [name, value])
  assert.equal(variables.length, 2)
  readConfig({ ...imageSettings(), ...Object.fromEntries(variables) }, '/data')
  assert.match(fly, /^internal_port = 3900$/m)
})

test('Dockerfile: what it copies exists, and the build context has neither secrets nor node_modules', () => {
  const sources = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
    files.split(' '),
  )
  assert.ok(sources.length >= 4)
  for (const source of sources) assert.ok(existsSync(join(ROOT, source)), source)
  const ignored = read('.dockerignore').split('\n')
  for (const name of ['.env', '.patchbay', '.git', 'node_modules']) assert.ok(ignored.includes(name), name)
})
