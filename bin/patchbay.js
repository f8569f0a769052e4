#!/usr/bin/env node
// Entry of the `patchbay` command. Every Node from 12 must be able to parse it, so that an old Node prints what to
// install and not a syntax error: no top-level await, no `node:` imports, no optional chaining. src/main.ts runs the
// command.
import { spawn } from 'child_process'
import { existsSync, lstatSync, mkdirSync } from 'fs'
import module from 'module'
import { homedir, tmpdir } from 'os'
import { dirname, join } from 'path'
import { fileURLToPath } from 'url'
import v8 from 'v8'

const NEEDED_MAJOR = 24
const RELAUNCHED = 'PATCHBAY_RELAUNCHED'

if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) run(process.argv.slice(2))
else relaunch()

function run(args) {
  delete process.env[RELAUNCHED]
  endWithLauncher()
  if (args[0] === 'start') limitYoungGeneration()
  enableCompileCache()
  const io = {
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    cwd: process.cwd(),
    uid: process.geteuid ? process.geteuid() : undefined,
  }
  importProgram().then((program) => program.main(args, io))
}

// Modules and settings that a start reads make the young generation of the heap grow to 130 MB, and it stays that large
// while the process is idle. The server removes the limit when it is ready (src/server/young-generation.ts).
function limitYoungGeneration() {
  v8.setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * A checkout has the sources. The npm package has compiled code, because Node does not strip types below
 * node_modules.
 */
function importProgram() {
  const here = dirname(fileURLToPath(import.meta.url))
  const isCheckout = existsSync(join(here, '..', 'src', 'main.ts'))
  const modules = isCheckout
    ? import('../src/platform/own-modules.ts')
    : import('../dist/src/platform/own-modules.js')
  return modules.then((loaded) => {
    loaded.resolveOwnModules()
    return isCheckout ? import('../src/main.ts') : import('../dist/src/main.js')
  })
}

/** Stores compiled code between runs, with the types already stripped. */
function enableCompileCache() {
  const directory = cacheDirectory()
  if (directory && module.enableCompileCache) module.enableCompileCache(directory)
}

// Another user who can write to the cache can run code as this user. In the shared temporary directory, the cache must
// therefore be a directory that belongs to this user and that others cannot write to.
function cacheDirectory() {
  const own = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'patchbay', 'compile')
  try {
    mkdirSync(own, { recursive: true, mode: 0o700 })
    return own
  } catch (error) {
    return privateTemporary()
  }
}

function privateTemporary() {
  const uid = process.getuid ? process.getuid() : 0
  const directory = join(tmpdir(), 'patchbay-compile-' + uid)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const entry = lstatSync(directory)
    return entry.isDirectory() && entry.uid === uid && (entry.mode & 0o022) === 0 ? directory : undefined
  } catch (error) {
    return undefined
  }
}

/** Runs this command again with the Node that is installed as a dependency. */
function relaunch() {
  const node = process.env[RELAUNCHED] ? undefined : bundledNode(dirname(fileURLToPath(import.meta.url)))
  if (!node) return printRequirement()
  const child = spawn(node, process.execArgv.concat(process.argv.slice(1)), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: Object.assign({}, process.env, { [RELAUNCHED]: '1' }),
  })
  const forwarded = forwardSignals(child)
  child.on('error', printRequirement)
  child.on('exit', (code, signal) => {
    if (!signal) return process.exit(code)
    forwarded.forEach((name) => process.removeAllListeners(name))
    process.kill(process.pid, signal)
  })
}

// The terminal sends Ctrl-C and hang-ups to the whole process group, so the child receives them too. Forwarding them
// would deliver them twice, and a second Ctrl-C means "stop at once".
function forwardSignals(child) {
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
  const terminalSignals = ['SIGINT', 'SIGQUIT', 'SIGHUP']
  const names = terminalSignals.concat('SIGTERM', 'SIGUSR2')
  names.forEach((name) =>
    process.on(name, () => {
      if (!hasTerminal || terminalSignals.indexOf(name) < 0) child.kill(name)
    }),
  )
  return names
}

/** Stops when the launcher was killed with -9, which forwards nothing: the channel between the two closes. */
function endWithLauncher() {
  if (!process.channel) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

function bundledNode(start) {
  const node = join('node_modules', 'node-' + process.platform + '-' + process.arch, 'bin', 'node')
  for (let directory = start; ; directory = dirname(directory)) {
    if (existsSync(join(directory, node))) return join(directory, node)
    if (directory === dirname(directory)) return undefined
  }
}

function printRequirement() {
  process.stderr.write(
    'Patchbay needs Node.js ' +
      NEEDED_MAJOR +
      ' or newer, and this is ' +
      process.version +
      ': install Node.js ' +
      NEEDED_MAJOR +
      ' (on Linux x64 and arm64, `npm ci` installs it) and run the command again.\n',
  )
  process.exit(1)
}
