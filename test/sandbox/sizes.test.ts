import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SandboxStopped } from '../../src/sandbox/types.ts'
import type { SandboxSize } from '../../src/sandbox/index.ts'
import { createTestHost, runIn, TEST_DRIVERS } from './drivers.ts'

const RUN_MS = 120_000
/** More than a standard sandbox has, and less than a medium one. */
const ALLOCATE = 'len(bytearray(1_100_000_000))'

for (const [name, skip, create] of TEST_DRIVERS.filter(([name]) => name !== 'remote'))
  test(
    `sandbox size: a medium sandbox of the ${name} driver has more memory than a standard one`,
    { skip },
    async (t) => {
      const driver = await create(t)
      const allocate = async (size: SandboxSize): Promise<string> => {
        const sandbox = await driver.start(size)
        try {
          const attempt = { name: size, kind: 'python', code: ALLOCATE } as const
          return (await runIn(sandbox, attempt, createTestHost(), RUN_MS)).results
        } catch (error) {
          if (error instanceof SandboxStopped) return error.message
          throw error
        } finally {
          sandbox.stop('the test is over')
        }
      }
      assert.notEqual(await allocate('standard'), '1100000000')
      assert.equal(await allocate('medium'), '1100000000')
    },
  )
