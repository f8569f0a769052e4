import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siblingModule } from './module-url.ts'

test('the URL of a sibling module has the extension of the caller', () => {
  const inCheckout = siblingModule('file:///srv/patchbay/src/a/main.ts', 'convert.worker')
  assert.equal(inCheckout.href, 'file:///srv/patchbay/src/a/convert.worker.ts')
  const inPackage = siblingModule('file:///usr/lib/node_modules/patchbay/dist/src/a/main.js', 'child')
  assert.equal(inPackage.href, 'file:///usr/lib/node_modules/patchbay/dist/src/a/child.js')
})
