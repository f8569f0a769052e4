import type { Writable } from 'node:stream'
import { styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]
type Output = Writable & { isTTY?: boolean; columns?: number }

/** Everything that a run touches outside itself. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>
  stdout: Output
  stderr: Output
  stdin?: AsyncIterable<Buffer | string> | undefined
  fetch?: typeof fetch
  cwd: string
}

/** How a run ends; the numbers are a promise to scripts. `notAllRevoked`: the accounts are frozen, and somebody has to go to a provider. */
export const EXIT = {
  ok: 0,
  apiError: 1,
  usage: 2,
  unreachable: 3,
  serverFault: 4,
  toolFailed: 5,
  notAllRevoked: 6,
} as const

/** Colours a text for a stream: only on a terminal, and never when NO_COLOR is set. FORCE_COLOR overrules the first. */
export function painter(io: Io, stream: Output): (format: Format, text: string) => string {
  const { NO_COLOR: no, FORCE_COLOR: force, TERM: term } = io.env
  const isColoured = !no && (force ? force !== '0' : Boolean(stream.isTTY) && term !== 'dumb')
  return (format, text) =>
    isColoured && text !== '' ? styleText(format, text, { validateStream: false }) : text
}

/** Width of the terminal; without one, nothing is cut. */
export const widthOf = (stream: Output): number => (stream.isTTY ? (stream.columns ?? 80) : Infinity)

// What a server sends must not move the cursor or rewrite the screen of its reader.
export const printable = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
