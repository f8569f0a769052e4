import { spawn } from 'node:child_process'
import type { Io } from '../io.ts'

/** Programs that open a URL in the browser of the user. Arguments go to the program without a shell. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

/** Returns the command line that opens `url`; undefined where the user cannot see a browser of this machine. */
export function browserCommand(
  url: string,
  { env, isTerminal, platform }: { env: Io['env']; isTerminal: boolean; platform: NodeJS.Platform },
): readonly string[] | undefined {
  const isRemote = Boolean(env['SSH_CONNECTION'] || env['CI'])
  const hasScreen = platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
  const opener = OPENERS[platform]
  // The URL comes from a server: a program for another scheme must not start.
  if (!opener || !isTerminal || isRemote || !hasScreen || !/^https?:\/\//.test(url)) return undefined
  return [...opener, url]
}

/** Opens a URL in the browser if there is one. The URL is always printed too, so a failure needs no report. */
export function openInBrowser(io: Io, url: string): void {
  const isTerminal = Boolean(io.stdout.isTTY)
  const [program, ...args] =
    browserCommand(url, { env: io.env, isTerminal, platform: process.platform }) ?? []
  if (program === undefined) return
  const child = spawn(program, args, { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}
