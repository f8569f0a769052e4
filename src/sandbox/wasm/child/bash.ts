import { Buffer } from 'node:buffer'
import type { Bash as BashShell, CustomCommand } from 'just-bash/browser'
import { bashFiles } from './bash-files.ts'
import type { Channel } from './channel.ts'
import type { EmscriptenFs } from './emscripten.ts'
import type { Kernel, OutputTarget } from './python.ts'

export interface BashModule {
  Bash: typeof BashShell
  defineCommand(
    name: string,
    execute: (args: string[], context: CommandContext) => Promise<CommandResult>,
  ): CustomCommand
}
interface CommandContext {
  readonly fs: { readFile(path: string): Promise<string>; resolvePath(base: string, path: string): string }
  readonly cwd: string
  readonly stdin: unknown
}
interface CommandResult {
  stdout: string
  stderr: string
  exitCode: number
}

const TIMEOUT_STATUS = 124
const OUTPUT_BYTES_MAX = 10_000_000
const HOME = '/home/user'

/** The bash of the sandbox: an interpreter, not a program of the machine. Its commands are part of it. */
export function createShell(
  { Bash, defineCommand }: BashModule,
  FS: EmscriptenFs,
  channel: Channel,
  kernel: Kernel,
  brand: string,
) {
  let deadline = Infinity
  const helpers = helperCommands(channel, brand).map(([name, run]) => defineCommand(name, run))
  const python = ['python3', 'python'].map((name) =>
    defineCommand(name, (args, context) => runPython(kernel, args, context, deadline)),
  )
  const createBash = (until: number) =>
    new Bash({
      fs: bashFiles(FS),
      cwd: HOME,
      env: { HOME, USER: 'user', PATH: '/usr/bin:/bin', LANG: 'en_US.UTF-8' },
      customCommands: [...helpers, ...python],
      defenseInDepth: false,
      executionLimits: {
        maxOutputSize: OUTPUT_BYTES_MAX,
        maxExecutionTimeMs: Math.max(1, until - Date.now()),
        maxLoopIterations: 10_000_000,
        maxCommandCount: 1_000_000,
      },
    })
  return {
    async run(
      command: string,
      until: number,
      output: OutputTarget,
    ): Promise<{ exitCode: number; error: string }> {
      deadline = until
      const timedOut = () =>
        Date.now() >= until ? { exitCode: TIMEOUT_STATUS, error: TIMED_OUT } : undefined
      try {
        const { stdout, stderr, exitCode } = await createBash(until).exec(command)
        output.stdout(Buffer.from(stdout))
        output.stderr(Buffer.from(stderr))
        return (
          timedOut() ?? { exitCode, error: exitCode === 0 ? '' : `Command exited with status ${exitCode}` }
        )
      } catch (error) {
        output.stderr(Buffer.from(`bash: ${(error as Error).message}\n`))
        return timedOut() ?? { exitCode: 1, error: 'Command exited with status 1' }
      } finally {
        deadline = Infinity
      }
    },
  }
}
export type Shell = ReturnType<typeof createShell>

const TIMED_OUT = 'Command timed out'

/** Runs `python3 file`, `python3 -c code`, or a script from standard input, in a namespace of its own. */
async function runPython(
  kernel: Kernel,
  args: string[],
  { fs, cwd, stdin }: CommandContext,
  deadline: number,
): Promise<CommandResult> {
  const chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  const target: OutputTarget = {
    stdout: (bytes) => void chunks.stdout.push(Buffer.from(bytes)),
    stderr: (bytes) => void chunks.stderr.push(Buffer.from(bytes)),
  }
  const input = textOf(stdin)
  const [first, ...rest] = args
  const isModule = first === '-m'
  const isCode = first === '-c'
  const isInput = first === undefined || first === '-'
  if (first === '-V' || first === '--version')
    return { stdout: 'Python 3 (WebAssembly)\n', stderr: '', exitCode: 0 }
  try {
    const source = isModule
      ? `import runpy, sys\nsys.argv = sys.argv[1:]\nrunpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)`
      : isCode
        ? (rest.shift() ?? '')
        : isInput
          ? input
          : await fs.readFile(fs.resolvePath(cwd, first as string))
    const script = {
      source: `import os\nos.chdir(${JSON.stringify(cwd)})\n${source}`,
      name: isCode ? '-c' : isInput ? '-' : (first as string),
      args: rest,
      stdin: isInput ? '' : input,
    }
    const exitCode = await kernel.runScript(script, deadline, target)
    return {
      stdout: Buffer.concat(chunks.stdout).toString('latin1'),
      stderr: Buffer.concat(chunks.stderr).toString('latin1'),
      exitCode,
    }
  } catch (error) {
    return { stdout: '', stderr: `python3: ${(error as Error).message}\n`, exitCode: 2 }
  }
}

const textOf = (stdin: unknown): string =>
  typeof stdin === 'string' ? Buffer.from(stdin, 'latin1').toString() : String(stdin ?? '')

type Helper = (args: string[], context: CommandContext) => Promise<CommandResult>

/** The helpers as commands: the result on standard output; a failure on standard error, with status 1. */
function helperCommands(channel: Channel, brand: string): [name: string, run: Helper][] {
  const request = async (operation: string, args: object): Promise<CommandResult> => {
    const { error, body } = await channel.request(operation, '', Buffer.from(JSON.stringify(args)))
    if (error !== undefined) return { stdout: '', stderr: `${error}\n`, exitCode: 1 }
    return { stdout: `${Buffer.from(body).toString('latin1')}\n`, stderr: '', exitCode: 0 }
  }
  const withJson =
    (usage: string, run: (args: string[], json: unknown) => Promise<CommandResult>, at: number): Helper =>
    async (args) => {
      if (args.length < at) return { stdout: '', stderr: `usage: ${usage}\n`, exitCode: 2 }
      try {
        return await run(args, args[at] === undefined ? undefined : JSON.parse(args[at]))
      } catch {
        return { stdout: '', stderr: `The last argument is not JSON. usage: ${usage}\n`, exitCode: 2 }
      }
    }
  const tool = withJson(
    "run_tool SLUG ['{…}']",
    ([slug], json) => request('tool', { slug, arguments: json ?? {} }),
    1,
  )
  return [
    ['run_tool', tool],
    [`run_${brand}_tool`, tool],
    [
      'proxy_execute',
      withJson(
        "proxy_execute METHOD ENDPOINT TOOLKIT ['{…}']",
        ([method, endpoint, toolkit], body) => request('proxy', { method, endpoint, toolkit, body }),
        3,
      ),
    ],
    ['invoke_llm', (args) => request('model', { query: args.join(' ') })],
    ['web_search', (args) => request('search', { query: args.join(' ') })],
  ]
}
