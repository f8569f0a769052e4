#!/usr/bin/env node
// Entry of the `patchbay` command. It has to parse on every Node from 12 on, so that an old one gets help and not a syntax error:
// no top-level await, no `node:` imports, no optional chaining.
import { spawn } from 'child_process'
import { existsSync, lstatSync, mkdirSync } from 'fs'
import module from 'module'
import { homedir, tmpdir } from 'os'
import { dirname, join } from 'path'
import { fileURLToPath } from 'url'

const NEEDED_MAJOR = 24
const RELAUNCHED = 'PATCHBAY_RELAUNCHED'
const SERVER_COMMANDS = ['start', 'migrate', 'doctor', 'catalog', 'record', 'replay']

if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) run(process.argv.slice(2))
else relaunch()

function run(args) {
  delete process.env[RELAUNCHED]
  endWithLauncher()
  enableCompileCache()
  const isHelp = args.indexOf('--help') > 0 || args.indexOf('-h') > 0
  // The doctor of one connection asks a running server, as every other command does.
  const asksServer = args[0] === 'doctor' && args[1] === 'connection'
  const rotates = args[0] === 'keys' && args[1] === 'rotate-encryption'
  const readsFiles = args[0] === 'toolkits' && (args[1] === 'lint' || args[1] === 'try')
  if ((SERVER_COMMANDS.indexOf(args[0]) >= 0 || rotates || readsFiles) && !isHelp && !asksServer) {
    import('../src/main.ts').then((program) => program.main(args))
  } else {
    const io = {
      env: process.env,
      stdout: process.stdout,
      stderr: process.stderr,
      stdin: process.stdin,
      cwd: process.cwd(),
    }
    process.stdout.on('error', quietWhenReaderLeft)
    import('../src/cli/index.ts')
      .then((cli) => cli.runCli(args, io))
      .then((code) => {
        process.exitCode = code
      })
  }
}

/** `patchbay tools list | head` ends when head does, without a stack trace. */
function quietWhenReaderLeft(error) {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}

/** Keeps compiled code between runs, with the types already stripped. */
function enableCompileCache() {
  const directory = cacheDirectory()
  if (directory && module.enableCompileCache) module.enableCompileCache(directory)
}

// A cache that somebody else can write is code that somebody else can run, so in the shared temporary directory
// only a directory that belongs to us alone is good enough.
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
    const found = lstatSync(directory)
    return found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0 ? directory : undefined
  } catch (error) {
    return undefined
  }
}

/** Runs this same command again with the Node that the dependencies brought. */
function relaunch() {
  const node = process.env[RELAUNCHED] ? undefined : bundledNode(dirname(fileURLToPath(import.meta.url)))
  if (!node) return refuse()
  const child = spawn(node, process.execArgv.concat(process.argv.slice(1)), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: Object.assign({}, process.env, { [RELAUNCHED]: '1' }),
  })
  const forwarded = forwardSignals(child)
  child.on('error', refuse)
  child.on('exit', (code, signal) => {
    if (!signal) return process.exit(code)
    forwarded.forEach((name) => process.removeAllListeners(name))
    process.kill(process.pid, signal)
  })
}

// What the terminal sends (Ctrl-C, hang-up) reaches the child by itself, as they share the process group; sent on as well it would
// arrive twice, and a second Ctrl-C means "at once".
function forwardSignals(child) {
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
  const ofTerminal = ['SIGINT', 'SIGQUIT', 'SIGHUP']
  const names = ofTerminal.concat('SIGTERM', 'SIGUSR2')
  names.forEach((name) =>
    process.on(name, () => {
      if (!hasTerminal || ofTerminal.indexOf(name) < 0) child.kill(name)
    }),
  )
  return names
}

/** A launcher killed with -9 can forward nothing: the channel between the two closes, and that means stop. */
function endWithLauncher() {
  if (!process.channel) return
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

function bundledNode(start) {
  const wanted = join('node_modules', 'node-' + process.platform + '-' + process.arch, 'bin', 'node')
  for (let directory = start; ; directory = dirname(directory)) {
    if (existsSync(join(directory, wanted))) return join(directory, wanted)
    if (directory === dirname(directory)) return undefined
  }
}

function refuse() {
  process.stderr.write(
    'Patchbay needs Node.js ' +
      NEEDED_MAJOR +
      ' or newer, and this is ' +
      process.version +
      ': install Node.js ' +
      NEEDED_MAJOR +
      ' (on Linux x64 and arm64 `npm ci` brings it) and run the command again.\n',
  )
  process.exit(1)
}
