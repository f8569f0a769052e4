import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { TestContext } from 'node:test'
import { runCli } from '../index.ts'

/** What the stub server answers; a function sees the request. */
export type Stubbed =
  | { status?: number; body?: unknown; headers?: Record<string, string> }
  | ((request: Seen) => { status?: number; body?: unknown })
export interface Seen {
  method: string
  url: URL
  headers: Record<string, string>
  body: unknown
}

export interface Ran {
  code: number
  out: string
  err: string
  seen: Seen[]
}

/** Runs command lines in process, in an empty directory, against a stub that records. */
export function cli(
  t: TestContext,
  answer: Stubbed = {},
  options: { env?: Record<string, string>; terminal?: number; input?: string } = {},
) {
  const cwd = mkdtempSync(join(tmpdir(), 'patchbay-cli-'))
  t.after(() => rmSync(cwd, { recursive: true }))
  const run = async (...args: string[]): Promise<Ran> => {
    const [stdout, stderr] = [collector(options.terminal), collector(options.terminal)]
    const seen: Seen[] = []
    const env = { PATCHBAY_API_KEY: 'ak_test', PATCHBAY_ORG_API_KEY: 'oak_test', ...options.env }
    const code = await runCli(args, {
      env,
      stdout,
      stderr,
      stdin: input(options.input),
      fetch: stub(answer, seen),
      cwd,
    })
    return { code, out: stdout.text(), err: stderr.text(), seen }
  }
  return { cwd, run }
}

function stub(answer: Stubbed, seen: Seen[]): typeof fetch {
  return async (url, init) => {
    const request = {
      method: init?.method ?? 'GET',
      url: new URL(String(url)),
      headers: init?.headers as Record<string, string>,
      body: init?.body ? JSON.parse(String(init.body)) : undefined,
    }
    seen.push(request)
    const {
      status = 200,
      body = {},
      headers = {},
    }: { status?: number; body?: unknown; headers?: Record<string, string> } = typeof answer === 'function'
      ? answer(request)
      : answer
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
  }
}

function collector(columns: number | undefined) {
  const parts: string[] = []
  const stream = new Writable({
    write(part, _encoding, done) {
      parts.push(String(part))
      done()
    },
  })
  return Object.assign(stream, {
    text: () => parts.join(''),
    ...(columns === undefined ? {} : { isTTY: true, columns }),
  })
}

async function* input(text = '') {
  yield text
}
