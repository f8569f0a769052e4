import type { Writable } from 'node:stream'
import { styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]
type Output = Writable & { isTTY?: boolean; columns?: number }

/** The environment of a run: variables, streams, network and directory. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>
  stdout: Output
  stderr: Output
  stdin?: AsyncIterable<Buffer | string> | undefined
  fetch?: typeof fetch
  /** The user id of this process; undefined where the system has none. */
  uid?: number | undefined
  cwd: string
}

/**
 * Exit codes. Scripts rely on them. `notAllRevoked`: all accounts are frozen, and some access must be revoked
 * at the provider by hand.
 */
export const EXIT = {
  ok: 0,
  apiError: 1,
  usage: 2,
  unreachable: 3,
  serverFault: 4,
  toolFailed: 5,
  notAllRevoked: 6,
} as const

/** Colours a text on terminals only, and never when NO_COLOR is set. FORCE_COLOR colours everywhere. */
export function painter(io: Io, stream: Output): (format: Format, text: string) => string {
  const { NO_COLOR: no, FORCE_COLOR: force, TERM: term } = io.env
  const isColoured = !no && (force ? force !== '0' : Boolean(stream.isTTY) && term !== 'dumb')
  return (format, text) =>
    isColoured && text !== '' ? styleText(format, text, { validateStream: false }) : text
}

/** Writes a line about the run to stderr, so that the output of the command can be piped. */
export function writeNote(io: Io, text: string): void {
  io.stderr.write(`${painter(io, io.stderr)('dim', text)}\n`)
}

/** Returns the width of the terminal. Without one, nothing is shortened. */
export const widthOf = (stream: Output): number => (stream.isTTY ? (stream.columns ?? 80) : Infinity)

// Text from a server must not move the cursor or change the screen.
export const printable = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
