import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Io } from '../io.ts'
import { UsageError } from './usage-error.ts'

const BYTES_MAX = 64 * 1024

/**
 * Reads one line of standard input. On a terminal it prints `prompt`, and the typed characters are not shown.
 * @throws UsageError if the line is empty
 */
export async function readSecretLine(io: Io, prompt: string): Promise<string> {
  const input = io.stdin
  const line =
    input !== undefined && isTerminal(input) ? await readHidden(io, input, prompt) : await readFirst(input)
  if (line.trim() === '')
    throw new UsageError('Standard input is empty.', 'Pipe the value into the command, or type it.')
  return line.trim()
}

const isTerminal = (input: object): input is NodeJS.ReadStream => (input as NodeJS.ReadStream).isTTY === true

async function readFirst(input: Io['stdin']): Promise<string> {
  let text = ''
  for await (const part of input ?? []) {
    text += Buffer.from(part).toString('utf8')
    if (text.includes('\n') || text.length > BYTES_MAX) break
  }
  return text.split('\n')[0] ?? ''
}

/** The line editor writes what is typed to its output: that output discards it. */
async function readHidden(io: Io, input: NodeJS.ReadStream, prompt: string): Promise<string> {
  io.stderr.write(prompt)
  const output = new Writable({ write: (_part, _encoding, done) => done() })
  const lines = createInterface({ input, output, terminal: true })
  try {
    return await new Promise<string>((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(''))
      lines.once('SIGINT', () => lines.close())
    })
  } finally {
    lines.close()
    io.stderr.write('\n')
  }
}
