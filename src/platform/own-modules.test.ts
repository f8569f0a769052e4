import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const here = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)

/** Prints which modules and formats an import loads, and which of them Node resolved itself. */
const childOf = (preparation: string) => `
import module from 'node:module'
const resolved = [], loaded = []
module.registerHooks({
  resolve(specifier, context, next) {
    const result = next(specifier, context)
    resolved.push(result.url)
    return result
  },
  load(url, context, next) {
    loaded.push([url, context.format])
    return next(url, context)
  },
})
${preparation}
await import(${here('egress/index.ts')})
console.log(JSON.stringify({ resolved, loaded: loaded.filter(([url]) => url !== ${here('own-modules.ts')}) }))
`

interface Printed {
  readonly resolved: string[]
  readonly loaded: [url: string, format: string][]
}

async function run(preparation: string): Promise<Printed> {
  const args = ['--input-type=module', '-e', childOf(preparation)]
  // Without the flags of this process, which resolve modules too.
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    timeout: 60_000,
    maxBuffer: 2 ** 24,
  })
  return JSON.parse(stdout) as Printed
}

test('modules of the program are loaded as Node loads them, without its search for files', async () => {
  const [plain, own] = await Promise.all([
    run(''),
    run(`;(await import(${here('own-modules.ts')})).resolveOwnModules()`),
  ])
  // The order differs, because nothing waits for files; and own-modules.ts imports modules of Node too.
  const sorted = ({ loaded }: Printed) =>
    loaded
      .filter(([url]) => url.startsWith('file:'))
      .map(([url, format]) => `${format} ${url}`)
      .sort()
  assert.deepEqual(sorted(own), sorted(plain))
  const ours = (url: string) => url.startsWith('file:') && !url.includes('/node_modules/')
  assert.ok(plain.resolved.filter(ours).length > 20)
  // The two that the test itself imports, by absolute URLs.
  assert.deepEqual(own.resolved.filter(ours).length, 2)
  assert.ok(own.loaded.some(([url]) => url.includes('/node_modules/ipaddr.js/')))
})
