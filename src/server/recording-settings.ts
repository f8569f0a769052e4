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

/** `patchbay record <file> [--project <id>]` and `patchbay replay <file>` are settings of a start. @throws StartupError */
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
      `Write \`patchbay ${command} cassette.jsonl\`.`,
      { exitCode: 2 },
    )
  }
}

/** What the settings say of recording and replaying, and a sentence on it for who starts the server. @throws StartupError */
export function openRecording(
  { recordFile, recordProject, replayFile }: RecordingSettings,
  log: Pick<Logger, 'error'>,
): { tape: Recordings; about: string } | undefined {
  if (recordFile !== undefined && replayFile !== undefined)
    throw new StartupError(
      'RECORD_FILE and REPLAY_FILE are both set.',
      'A server records or replays; leave one of them out.',
      { exitCode: 2 },
    )
  if (recordFile !== undefined)
    return {
      tape: createRecorder({ projectId: recordProject, write: writerTo(recordFile, log) }),
      about: `recording the executions ${recordProject === undefined ? 'of every project' : `of ${recordProject}`}, without secrets, to ${recordFile}`,
    }
  if (replayFile === undefined) return undefined
  const takes = readRecordedCalls(replayFile)
  return {
    tape: createReplayer(takes),
    about: `replaying ${takes.length} execution${takes.length === 1 ? '' : 's'} from ${replayFile}: no application is reached`,
  }
}

function readRecordedCalls(file: string): RecordedCall[] {
  try {
    if (statSync(file).size > BYTES_MAX) throw new Error(`it is larger than ${BYTES_MAX} bytes`)
    return parseRecording(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new StartupError(`${file} is no cassette: ${code ?? message}.`, '`patchbay record` makes one.', {
      cause: error,
    })
  }
}

/** Appends one execution after another. A file that cannot be written any more costs the recording, never the execution. */
function writerTo(file: string, log: Pick<Logger, 'error'>): (take: RecordedCall) => void {
  let bytes = sizeOf(file)
  let last: Promise<unknown> = Promise.resolve()
  let isOver = false
  const end = (why: unknown) => {
    isOver = true
    log.error({ err: why, file }, 'recording has ended before the server')
  }
  return (take) => {
    const text = bytes === 0 ? formatRecording([take]) : `${JSON.stringify(take)}\n`
    bytes += text.length
    if (isOver) return
    if (bytes > BYTES_MAX) return end(new Error(`The cassette has more than ${BYTES_MAX} bytes.`))
    last = last.then(() => (isOver ? undefined : appendFile(file, text))).catch(end)
  }
}

/** Nobody else reads the file: what an application answered is private, secrets or not. */
function sizeOf(file: string): number {
  try {
    const handle = openSync(file, 'a', 0o600)
    const { size } = fstatSync(handle)
    closeSync(handle)
    return size
  } catch (error) {
    throw new StartupError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`,
      'Give a file in a folder that is there.',
      { cause: error },
    )
  }
}

/** The way out of a server that replays: there is none. */
export function createOfflineClient(): Egress {
  return {
    async send() {
      throw new EgressError('refused_address', 'this server replays a cassette and reaches nothing.')
    },
    check() {},
    async close() {},
    stats: () => ({ origins: 0, connections: 0, running: 0, waiting: 0 }),
  }
}
