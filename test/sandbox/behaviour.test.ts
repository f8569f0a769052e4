import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SandboxDriver } from '../../src/sandbox/index.ts'
import { createTestHost, runIn, TEST_DRIVERS, type TestHost } from './drivers.ts'

const RUN_MS = 60_000
const SHORT_RUN_MS = 1_500

type Case = readonly [
  title: string,
  run: (call: {
    python(code: string, timeoutMs?: number): ReturnType<typeof runIn>
    bash(code: string, timeoutMs?: number): ReturnType<typeof runIn>
    host: TestHost
  }) => Promise<void>,
]

const CASES: readonly Case[] = [
  [
    'variables stay, and Python and bash share their files',
    async ({ python, bash }) => {
      assert.equal((await python('x = 41\nopen("/home/user/a.txt", "w").write("é")\nx + 1')).results, '42')
      const shell = await bash('cat a.txt; echo b >&2; exit 3')
      assert.deepEqual(
        [shell.stdout, shell.stderr, shell.exitCode, shell.stdoutLines, shell.error],
        ['é', 'b\n', 3, 1, 'Command exited with status 3'],
      )
      const after = await python('print(x)\nimport asyncio\nawait asyncio.sleep(0)\nx')
      assert.deepEqual([after.results, after.stdout, after.error], ['41', '41\n', ''])
      assert.match((await python('1 / 0')).error, /<cell 3>.*\n.*\n.*ZeroDivisionError/s)
    },
  ],
  [
    'helpers work in cells, threads, bash and scripts that bash starts',
    async ({ python, bash }) => {
      assert.equal((await python('run_tool("ECHO", {"a": 1})')).results, "({'data': {'a': 1}}, '')")
      const many = await python(
        '[r["data"]["n"] for r, e in run_tools([("ECHO", {"n": n}) for n in range(40)])]',
      )
      assert.deepEqual(JSON.parse(many.results), [...Array(40).keys()])
      assert.match((await python('run_tool("HIDDEN", {})[1]')).results, /not found/)
      assert.deepEqual(JSON.parse((await bash(`run_tool ECHO '{"b":2}'`)).stdout), { data: { b: 2 } })
      const failed = await bash('run_service_tool HIDDEN; echo $?; run_tool; echo $?')
      assert.match(failed.stderr, /not found[^]*usage: run_tool/)
      assert.equal(failed.stdout, '1\n2\n')
      const script = await bash(
        `echo 'print(run_tools([("ECHO", {"c": n}) for n in range(5)])[4])' > s.py; python3 s.py`,
      )
      assert.equal(script.stdout, "({'data': {'c': 4}}, '')\n", script.stderr)
    },
  ],
  [
    'files of the mount are loaded, stored and removed',
    async ({ python, bash, host }) => {
      host.files.set('in/data.csv', Buffer.from('a,b\n1,2\n'))
      assert.equal((await bash('cat /mnt/files/in/data.csv')).stdout, 'a,b\n1,2\n')
      await bash('mkdir -p /mnt/files/out && wc -l < /mnt/files/in/data.csv > /mnt/files/out/lines.txt')
      assert.equal(host.files.get('out/lines.txt')?.toString().trim(), '2')
      await python('import os; os.remove("/mnt/files/in/data.csv")')
      assert.ok(!host.files.has('in/data.csv'))
      host.files.delete('out/lines.txt')
      assert.equal((await bash('ls /mnt/files/out')).stdout, '', 'a file that the API deleted is gone')
      await python('import os; os.symlink("/etc/passwd", "/mnt/files/link")')
      assert.ok(!host.files.has('link'), 'links are not stored')
    },
  ],
  [
    'long output is cut, and the whole text is in a file',
    async ({ python, bash, host }) => {
      const long = await python('print("y" * 30_000)\n"z" * 25_000')
      assert.match(long.stdout, /^y{20000}\n\[cut after 20000 of 30001 characters; the whole text is in \//)
      const [outPath, resultPath] = [long.stdoutPath!, long.resultsPath!]
      assert.match(outPath, /^\/mnt\/files\/\.service\/output\/stdout_\w+\.txt$/)
      assert.equal(host.files.get(outPath.slice('/mnt/files/'.length))?.length, 30_001)
      assert.equal((await bash(`wc -c < ${resultPath}`)).stdout.trim(), '25000')
    },
  ],
  [
    'a time limit ends a cell and a command, and keeps the variables',
    async ({ python, bash }) => {
      await python('kept = 7')
      assert.match((await python('while True: pass', SHORT_RUN_MS)).error, /TimeoutError/)
      const sleeping = await bash('while true; do sleep 0.1; done', SHORT_RUN_MS)
      assert.deepEqual([sleeping.error, sleeping.exitCode], ['Command timed out', 124])
      assert.equal((await python('kept')).results, '7')
    },
  ],
]

for (const [name, skip, create] of TEST_DRIVERS)
  test(`sandbox: the ${name} driver runs Python and bash`, { skip }, async (t) => {
    const driver: SandboxDriver = await create(t)
    const host = createTestHost()
    const sandbox = await driver.start('standard')
    const run =
      (kind: 'python' | 'bash') =>
      (code: string, timeoutMs = RUN_MS) =>
        runIn(sandbox, { name: '', kind, code }, host, timeoutMs)
    for (const [title, check] of CASES)
      await t.test(title, () => check({ python: run('python'), bash: run('bash'), host }))
  })
