import { appendFile } from 'node:fs/promises'
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  formatRecording,
  parseRecording,
  createRecorder,
  createReplayer,
  type RecordedCall,
  type Recordings,
} from '../engine/index.ts'
import type { Config } from '../platform/config.ts'
import { type Egress, EgressError } from '../platform/egress/index.ts'
import type { Logger } from '../platform/log.ts'
import { StartupError } from '../platform/startup-error.ts'

const BYTES_MAX = 1024 * 1024 * 1024

type RecordingSettings = Pick<Config, 'recordFile' | 'recordProject' | 'replayFile'>

/**
 * Reads the arguments of `patchbay record <file> [--project <id>]` and `patchbay replay <file>`.
 * @throws StartupError
 */
export function recordingSettings(
  command: 'record' | 'replay',
  args: readonly string[],
): Partial<RecordingSettings> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: command === 'record' ? { project: { type: 'string' } } : {},
    })
    const [file, ...more] = positionals
    if (file === undefined || more.length) throw new Error('it takes one file')
    const project = (values as { project?: string }).project
    return command === 'record'
      ? { recordFile: file, ...(project !== undefined && { recordProject: project }) }
      : { replayFile: file }
  } catch (error) {
    throw new StartupError(
      `patchbay ${command}: ${(error as Error).message.split('. ')[0]!}.`,
      `Write \`patchbay ${command} recording.jsonl\`.`,
      { exitCode: 2 },
    )
  }
}

/** Opens the recording of the settings, with a description for the administrator. @throws StartupError */
export function openRecording(
  { recordFile, recordProject, replayFile }: RecordingSettings,
  log: Pick<Logger, 'error'>,
): { recordings: Recordings; about: string } | undefined {
  if (recordFile !== undefined && replayFile !== undefined)
    throw new StartupError(
      'RECORD_FILE and REPLAY_FILE are both set.',
      'Set only one of them: a server either records or replays.',
      { exitCode: 2 },
    )
  if (recordFile !== undefined)
    return {
      recordings: createRecorder({ projectId: recordProject, write: writerTo(recordFile, log) }),
      about:
        'recording the executions ' +
        `${recordProject === undefined ? 'of every project' : `of ${recordProject}`}, without secrets, in ` +
        `${recordFile}`,
    }
  if (replayFile === undefined) return undefined
  const calls = readRecordedCalls(replayFile)
  return {
    recordings: createReplayer(calls),
    about:
      `replaying ${calls.length} execution${calls.length === 1 ? '' : 's'} from ${replayFile}; no ` +
      'application is called',
  }
}

function readRecordedCalls(file: string): RecordedCall[] {
  try {
    if (statSync(file).size > BYTES_MAX) throw new Error(`it is larger than ${BYTES_MAX} bytes`)
    return parseRecording(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new StartupError(
      `${file} is not a recording: ${code ?? message}.`,
      'Create one with `patchbay record`.',
      {
        cause: error,
      },
    )
  }
}

/**
 * Appends executions to the file. If the file becomes unwritable, the recording ends and executions continue.
 */
function writerTo(file: string, log: Pick<Logger, 'error'>): (take: RecordedCall) => void {
  let bytes = sizeOf(file)
  let last: Promise<unknown> = Promise.resolve()
  let isOver = false
  const end = (why: unknown) => {
    isOver = true
    log.error({ err: why, file }, 'the recording has ended: its file cannot be written')
  }
  return (take) => {
    const text = bytes === 0 ? formatRecording([take]) : `${JSON.stringify(take)}\n`
    bytes += text.length
    if (isOver) return
    if (bytes > BYTES_MAX) return end(new Error(`The recording has more than ${BYTES_MAX} bytes.`))
    last = last.then(() => (isOver ? undefined : appendFile(file, text))).catch(end)
  }
}

/** Creates the file with mode 0600: responses of applications are private, even without secrets. */
function sizeOf(file: string): number {
  try {
    const handle = openSync(file, 'a', 0o600)
    const { size } = fstatSync(handle)
    closeSync(handle)
    return size
  } catch (error) {
    throw new StartupError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`,
      'Use a file in a folder that exists.',
      { cause: error },
    )
  }
}

/** Returns an HTTP client that sends nothing, for a server that replays a recording. */
export function createOfflineClient(): Egress {
  return {
    async send() {
      throw new EgressError('refused_address', 'this server replays a recording and sends no requests.')
    },
    check() {},
    lease: () => ({ add: () => true, release() {} }),
    async close() {},
    stats: () => ({ origins: 0, connections: 0, running: 0, waiting: 0 }),
  }
}
