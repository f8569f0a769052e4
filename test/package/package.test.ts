import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { clonedDatabase } from '#fixtures/clone.ts'
import { startServer, temporaryDirectory } from '#fixtures/server-process.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PACK_MS_MAX = 180_000
const run = promisify(execFile)

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}

test('the npm package', async (t) => {
  const file = await packRepository(t)
  await t.test('contains compiled code, data and documents, and neither tests nor sources', () =>
    checkContents(file),
  )
  await t.test('starts, runs a tool, imports an API and stops', (t) => checkProgram(t, file))
})

async function checkProgram(t: TestContext, file: string): Promise<void> {
  const program = await installPackage(t, file)
  const server = await startServer(t, {
    program,
    env: { DATABASE_URL: await clonedDatabase(t), LOG_LEVEL: 'silent' },
  })

  const hash = await server.call('POST', '/api/v3.1/tools/execute/UTILITIES_HASH_TEXT', {
    arguments: { text: 'patchbay' },
  })
  assert.equal(hash.status, 200)
  assert.equal(hash.body['successful'], true, JSON.stringify(hash.body))

  // The importer runs in a child process, and the search index is built in a thread: both are modules of their own.
  const imported = await server.call('POST', '/api/v3.1/toolkits/import', {
    slug: 'warehouse',
    content: JSON.stringify(WAREHOUSE),
  })
  assert.equal(imported.status, 200, JSON.stringify(imported.body))
  const found = await server.call('GET', '/api/v3.1/tools?search=list%20warehouse%20parcels')
  assert.match(JSON.stringify(found.body), /WAREHOUSE_LIST_PARCELS/)

  const page = await fetch(`${server.url}/console`, { headers: { accept: 'text/html' } })
  const [, script = ''] = /src="(\/console\/assets\/main-[^"]+)"/.exec(await page.text()) ?? []
  assert.equal((await fetch(server.url + script)).status, 200, 'the console is in the package')

  await checkClient(program, server)
  assert.equal((await server.stop()).code, 0)
}

/** A program next to the package imports the client, and its types check. */
async function checkClient(program: string, { url }: { url: string }): Promise<void> {
  const folder = dirname(dirname(dirname(dirname(program))))
  const file = join(folder, 'example.mts')
  await writeFile(
    file,
    `import { Patchbay } from 'patchbay/client'
const patchbay = new Patchbay({ baseUrl: ${JSON.stringify(url)} })
const status: number = await patchbay.tools.list({ limit: 1 }).then(
  ({ items }) => items.length,
  (error: { status: number }) => error.status,
)
console.log(status)
`,
  )
  // A node that strips types runs the program as it is.
  assert.equal((await run(process.execPath, [file])).stdout.trim(), '401')
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2024', '--module', 'nodenext']
  await run(join(ROOT, 'node_modules', '.bin', 'tsc'), [...options, '--lib', 'es2024,dom', file], {
    cwd: folder,
  })
}

async function checkContents(file: string): Promise<void> {
  const { stdout } = await run('tar', ['-tzf', file], { maxBuffer: 2 ** 26 })
  const files = stdout.split('\n').map((line) => line.replace(/^package\//, ''))
  for (const needed of [
    'bin/patchbay.js',
    'dist/src/main.js',
    'dist/src/client/index.js',
    'dist/src/client/index.d.ts',
    'dist/console/bundle.json',
    'dist/package.json',
    'dist/migrations/0001-projects.sql',
    'dist/toolkits/github/toolkit.json',
    'dist/toolkits/utilities/tools.js',
    'dist/docs/guides/first-tool.md',
    'LICENSE',
    'README.md',
  ])
    assert.ok(files.includes(needed), `${needed} is missing`)
  assert.deepEqual(
    files.filter(
      (file) =>
        /\.test\.|\.tsx?$|^(test|bench|src|scripts)\//.test(file) &&
        !/^dist\/src\/client\/.*\.d\.ts$/.test(file),
    ),
    [],
  )
}

/** Packs a copy of the repository, so that other tests do not see its `dist/`. Returns the file. */
async function packRepository(t: TestContext): Promise<string> {
  const copy = join(await temporaryDirectory(t), 'repository')
  await mkdir(copy)
  for (const name of await readdir(ROOT))
    if (!['node_modules', '.git', 'dist', 'tmp', '.patchbay', 'bench', 'test'].includes(name))
      await cp(join(ROOT, name), join(copy, name), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const { stdout } = await run('npm', ['pack', '--json'], { cwd: copy, timeout: PACK_MS_MAX })
  const [{ filename = '' } = {}] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as {
    filename?: string
  }[]
  return join(copy, filename)
}

/**
 * Unpacks the file into a `node_modules` folder in which only the declared runtime dependencies exist, as links to
 * those of this repository: an import of anything else fails. Returns its program.
 */
async function installPackage(t: TestContext, file: string): Promise<string> {
  const modules = join(await temporaryDirectory(t), 'node_modules')
  const folder = join(modules, 'patchbay')
  await mkdir(folder, { recursive: true })
  await run('tar', ['-xzf', file, '-C', folder, '--strip-components=1'])
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const installed = join(ROOT, 'node_modules', name)
    if (!existsSync(installed)) continue
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(installed, join(modules, name))
  }
  return join(folder, 'bin', 'patchbay.js')
}

const WAREHOUSE = {
  openapi: '3.1.0',
  info: { title: 'Warehouse', version: '1' },
  servers: [{ url: 'https://warehouse.example.com' }],
  paths: {
    '/parcels': {
      get: {
        operationId: 'list_parcels',
        summary: 'List warehouse parcels',
        responses: { 200: { description: 'The parcels.' } },
      },
    },
  },
}
