import { Buffer } from 'node:buffer'
import { readFileSync, writeSync } from 'node:fs'
import type { SandboxOutcome, SandboxRun } from '../../types.ts'
import type { WheelPackage } from '../packages.ts'
import { type BashModule, createShell, type Shell } from './bash.ts'
import { openChannel, writeAll } from './channel.ts'
import { limitDisk } from './disk-limits.ts'
import { harden, provideFileFlags, removeSystemCalls } from './harden.ts'
import { createMount, type Mount } from './mount.ts'
import { countLines, createCollector, cutOutput } from './output.ts'
import type { LibraryHashes } from './packages.ts'
import { createKernel, type Kernel, type Pyodide } from './python.ts'

// The process of one sandbox. Its arguments are URLs of the packages that it loads, and limits; nothing secret.

interface Settings {
  pyodideUrl: string
  bashUrl: string
  kernelPath: string
  /** A memory image of Python after its start. Empty: print one, and exit. */
  snapshotPath: string
  brand: string
  diskBytesMax: number
  /** Packages of Python that can be imported besides the standard library. */
  packages: readonly WheelPackage[]
}

const HOME = '/home/user'
const DIAGNOSTICS_CHARACTERS = 3_000
/** Before `process` is removed. */
const exit = process.exit.bind(process)
/**
 * Modules that are part of the snapshot, so that most cells import nothing from the archive of the standard library.
 */
const PRELOADED =
  'import ast, asyncio, base64, builtins, collections, concurrent.futures, csv, datetime, functools, hashlib, io, ' +
  'itertools, json, linecache, math, mimetypes, os, random, re, runpy, socket, statistics, sys, textwrap, time, ' +
  'traceback, types, typing, urllib.parse, uuid, xml.etree.ElementTree, zipfile, zlib\n' +
  'import pyodide.ffi, pyodide.webloop'

async function loadPython(
  { pyodideUrl, snapshotPath, packages }: Settings,
  libraries: LibraryHashes,
): Promise<Pyodide> {
  provideFileFlags()
  removeSystemCalls(
    packages.some(({ isNative }) => isNative),
    libraries,
  )
  const { loadPyodide } = (await import(pyodideUrl)) as {
    loadPyodide(options: object): Promise<Pyodide>
  }
  return loadPyodide({
    env: { HOME },
    fullStdLib: false,
    // What Python code can import as `js`: the timers of its event loop, and nothing else.
    jsglobals: { setTimeout, clearTimeout, setImmediate, clearImmediate, Object, Array, Promise, Map, Set },
    ...(snapshotPath ? { _loadSnapshot: readFileSync(snapshotPath) } : { _makeSnapshot: true }),
  })
}

/** Creates the snapshot, for the other sandboxes of this machine. */
function printSnapshot(pyodide: Pyodide): void {
  pyodide.runPython(PRELOADED)
  writeAll(pyodide.makeMemorySnapshot())
}

async function runOne(
  run: SandboxRun,
  FS: Pyodide['FS'],
  parts: { kernel: Kernel; shell: Shell; mount: Mount },
): Promise<SandboxOutcome> {
  const { kernel, shell, mount } = parts
  mount.update(run.mount)
  const stdout = createCollector()
  const stderr = createCollector()
  const target = { stdout: stdout.add, stderr: stderr.add }
  const until = Date.now() + run.timeoutMs
  const ended =
    run.kind === 'python'
      ? { exitCode: null, ...(await kernel.runCell(run.code, until, target)) }
      : { results: '', ...(await shell.run(run.code, until, target)) }
  const results = cutOutput(FS, 'results', ended.results, run.outputCharacters)
  const out = stdout.take()
  const err = stderr.take()
  const cutOut = cutOutput(FS, 'stdout', out, run.outputCharacters)
  const cutErr = cutOutput(FS, 'stderr', err, run.outputCharacters)
  const problems = await mount.store()
  return {
    results: results.text,
    stdout: cutOut.text,
    stderr: [cutErr.text, ...problems].filter(Boolean).join('\n'),
    error: ended.error.slice(-run.outputCharacters),
    exitCode: ended.exitCode,
    stdoutLines: countLines(out),
    stderrLines: countLines(err),
    resultsPath: results.path,
    stdoutPath: cutOut.path,
    stderrPath: cutErr.path,
  }
}

async function main(): Promise<void> {
  const settings = JSON.parse(process.argv[2] ?? '{}') as Settings
  const channel = openChannel(() => exit(0))
  const libraries: LibraryHashes = new Set()
  const pyodide = await loadPython(settings, libraries)
  if (!settings.snapshotPath) return printSnapshot(pyodide)
  const bash = (await import(settings.bashUrl)) as BashModule
  const source = readFileSync(settings.kernelPath, 'utf8')
  harden()
  const { FS } = pyodide
  for (const name of ['NODEFS', 'WORKERFS', 'PROXYFS', 'IDBFS', 'NATIVEFS_ASYNC']) delete FS.filesystems[name]
  FS.mkdirTree(HOME)
  limitDisk(FS, settings.diskBytesMax)
  const mount = createMount(FS, channel)
  const kernel = createKernel(pyodide, channel, { source, ...settings, libraries })
  const shell = createShell(bash, FS, channel, kernel, settings.brand)
  FS.chdir(HOME)
  channel.send({ type: 'ready', id: 0 }, new Uint8Array(0))
  for (;;) {
    const { header, body } = channel.nextRun()
    const run = JSON.parse(Buffer.from(body).toString()) as SandboxRun
    const outcome = await runOne(run, FS, { kernel, shell, mount })
    channel.send({ type: 'done', id: header.id }, Buffer.from(JSON.stringify(outcome)))
  }
}

/** An uncaught error would print the line of code that threw it, which is a whole minified package. */
function reportAndExit(error: unknown): never {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  writeSync(2, text.slice(0, DIAGNOSTICS_CHARACTERS))
  return exit(1)
}

await main().catch(reportAndExit)
