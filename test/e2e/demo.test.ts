import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../demo/main.ts', import.meta.url))
const TOUR_TIMEOUT_MS = 540_000

// In the order in which the tour meets them.
const MILESTONES = [
  '✓ PostgreSQL',
  '✓ Patchbay',
  '✓ oidc-provider',
  'UTILITIES_GET_CURRENT_TIME',
  '"timezone": "Asia/Tokyo"',
  '"slug": "PARSE_CREATE_OBJECT"',
  'Parse Server rejected the credentials',
  '"status": "ACTIVE"',
  '"title": "Feed the cat"',
  'Hello Alice, from a flow that an agent deployed.',
  'Node-RED counted 1 sign-in',
  'PKCE challenge (S256)',
  'tab=2, status=success, connected_account_id=ca_',
  '"email": "alice@example.com"',
  '"successful_calls": 20, "refreshes_that_the_provider_counted": 1',
  '← 410',
  '"code": 1820',
  '"status": "EXPIRED"',
  'limit: must be integer',
  '"code": 1810',
  'What to try next',
  'Everything that was started is stopped again',
] as const

// One after the other: a tour is five servers, and other test files run at the same time.
describe('the tour', () => {
  test('meets every milestone, in plain text without a terminal, and leaves nothing behind', async (t) => {
    const { child, text, directory } = await startTour(t)
    const [code] = await once(child, 'close')
    const words = text()
      .replace(/\n +│ +/g, ' ')
      .replace(/\s+/g, ' ')
    assert.equal(code, 0, text())
    let from = 0
    for (const milestone of MILESTONES) {
      const at = words.indexOf(milestone, from)
      assert.ok(at >= from, `${milestone} is missing after ${words.slice(Math.max(0, from - 60), from)}`)
      from = at
    }
    assert.doesNotMatch(text(), /\x1b|undefined|\[object/)
    assert.deepEqual(await readdir(directory), [])
    assert.ok(!isAlive(child.pid!), 'no process of the tour is left')
  })

  test('that is interrupted while it starts other software stops that too', async (t) => {
    const { child, text, directory, saw } = await startTour(t)
    // The first of the things that are started side by side: others are still on their way.
    await saw('✓ Patchbay')
    assert.notDeepEqual(await readdir(directory), [])
    // As Ctrl-C does: the whole group hears it.
    process.kill(-child.pid!, 'SIGINT')
    const [code] = await once(child, 'close')
    assert.equal(code, 130, text())
    assert.match(text(), /Interrupted; cleaning up/)
    assert.deepEqual(await readdir(directory), [])
    assert.ok(!isAlive(child.pid!), 'no process of the tour is left')
  })
})

/** The tour in a process group and a temporary directory of its own. */
async function startTour(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'patchbay-tour-'))
  const { NODE_TEST_CONTEXT: _, FORCE_COLOR: __, ...env } = process.env
  const child = spawn(process.execPath, [MAIN], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, TMPDIR: directory },
    signal: AbortSignal.timeout(TOUR_TIMEOUT_MS),
  })
  child.on('error', () => {})
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await rm(directory, { recursive: true, force: true })
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more
    })
  return {
    child,
    directory,
    text: () => text,
    async saw(words: string): Promise<void> {
      while (!text.includes(words))
        await Promise.race([
          once(child.stdout, 'data'),
          once(child, 'close').then(() => {
            throw new Error(`The tour ended without ${words}: ${text}`)
          }),
        ])
    },
  }
}

/** Whether anything is left in the process group that a child began. */
function isAlive(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}
