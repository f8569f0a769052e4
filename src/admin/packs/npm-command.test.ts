import assert from 'node:assert/strict'
import { test } from 'node:test'
import { npmCommand } from './npm-command.ts'

test('npm command: npm runs with a shell on Windows, where it is a .cmd file, and without one elsewhere', () => {
  const args = ['pack', '@scope/package@1.0.0-rc.1', '--json', '--pack-destination', '.']
  assert.deepEqual(npmCommand(args, 'linux'), { file: 'npm', args, shell: false })
  assert.deepEqual(npmCommand(args, 'win32'), {
    file: 'npm pack @scope/package@1.0.0-rc.1 --json --pack-destination .',
    args: [],
    shell: true,
  })
})

test('npm command: an argument that a shell would interpret is rejected on Windows', () => {
  for (const arg of ['C:\\my cache', 'a&b', '%PATH%', '']) assert.throws(() => npmCommand([arg], 'win32'))
})
