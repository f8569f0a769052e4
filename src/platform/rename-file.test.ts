import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renameFile } from './rename-file.ts'

/** Fails so many times with this code, and counts the attempts. */
function failingRename(code: string, failures: number) {
  const attempts: string[] = []
  const rename = async (from: string, to: string) => {
    attempts.push(`${from} to ${to}`)
    if (attempts.length <= failures) throw Object.assign(new Error(code), { code })
  }
  return { attempts, rename }
}

test('rename: on Windows a file that another program has open is tried again', async () => {
  for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
    const { attempts, rename } = failingRename(code, 2)
    await renameFile('a', 'b', 'win32', rename)
    assert.deepEqual(attempts, ['a to b', 'a to b', 'a to b'])
  }
})

test('rename: other errors, and all errors of other systems, are reported at once', async () => {
  for (const [platform, code] of [
    ['win32', 'ENOENT'],
    ['linux', 'EACCES'],
  ] as const) {
    const { attempts, rename } = failingRename(code, 1)
    await assert.rejects(renameFile('a', 'b', platform, rename), { code })
    assert.equal(attempts.length, 1)
  }
})
