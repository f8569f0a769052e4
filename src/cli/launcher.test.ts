import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

const LAUNCHER = fileURLToPath(new URL('../../bin/patchbay.js', import.meta.url))
/** The launcher loads it before the program. */
const OWN_MODULES = fileURLToPath(new URL('../platform/own-modules.ts', import.meta.url))

/** Makes this Node report an old version until the launcher has started another. */
const OLD_NODE = `data:text/javascript,${encodeURIComponent(
  "if (!process.env.PATCHBAY_RELAUNCHED) Object.defineProperty(process, 'versions', { value: { " +
    "...process.versions, node: '18.20.0' } })",
)}`

// Replaces the server program: reports that it runs, then waits for a signal.
const PROGRAM = `export async function main(args) {
  if (args[1] === 'exit') process.exit(Number(args[2]))
  const timer = setInterval(() => {}, 1000)
  process.on('SIGTERM', () => { clearInterval(timer); console.log('stopped'); process.exitCode = 7 })
  console.log('running')
}`

/** Copies the launcher next to a test program, with or without an installed Node. */
function installed(t: TestContext, { withNode = true } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'patchbay-launcher-'))
  t.after(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'bin'))
  mkdirSync(join(root, 'src'))
  cpSync(LAUNCHER, join(root, 'bin', 'patchbay.js'))
  writeFileSync(join(root, 'package.json'), '{"type": "module"}')
  writeFileSync(join(root, 'src', 'main.ts'), PROGRAM)
  mkdirSync(join(root, 'src', 'platform'))
  cpSync(OWN_MODULES, join(root, 'src', 'platform', 'own-modules.ts'))
  symlinkSync(join(root, 'bin', 'patchbay.js'), join(root, 'patchbay'))
  if (withNode) {
    const bin = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin')
    mkdirSync(bin, { recursive: true })
    symlinkSync(process.execPath, join(bin, 'node'))
  }
  return {
    command: join(root, 'patchbay'),
    env: { ...process.env, NODE_OPTIONS: `--import "${OLD_NODE}"`, XDG_CACHE_HOME: join(root, 'cache') },
    root,
  }
}

async function started(t: TestContext) {
  const { command, env } = installed(t)
  const child = spawn(process.execPath, [command, 'start'], {
    env,
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const ended = once(child, 'exit').then(() => assert.fail('the program ended before it printed a line'))
  ended.catch(() => {})
  while (!text.includes('\n')) await Promise.race([once(child.stdout, 'data'), ended])
  return { child, text: () => text }
}

test('launcher: an old Node runs the command with the installed Node, from any directory, with its exit code', (t) => {
  const { command, env, root } = installed(t)
  assert.equal(
    spawnSync(process.execPath, [command, 'start', 'exit', '42'], { env, cwd: tmpdir() }).status,
    42,
  )
  assert.ok(existsSync(join(root, 'cache', 'patchbay', 'compile')), 'compiled code is kept')
})

test('launcher: signals are forwarded to the program', async (t) => {
  const { child, text } = await started(t)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'close'), [7, null])
  assert.match(text(), /stopped\n$/)
})

test('launcher: the program stops when the launcher is killed', async (t) => {
  const { child, text } = await started(t)
  child.kill('SIGKILL')
  await once(child, 'close') // The pipe closes only when the program is gone as well.
  assert.match(text(), /stopped\n$/)
})

test('launcher: without a newer Node, one sentence says what to install', (t) => {
  const { command, env } = installed(t, { withNode: false })
  const { status, stderr } = spawnSync(process.execPath, [command, 'start'], { env, encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^Patchbay needs Node\.js 24 or newer, and this is v[\d.]+: install Node\.js 24[^\n]+\n$/,
  )
})
