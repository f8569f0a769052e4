import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstCall } from './first-call.ts'

const call = {
  url: 'http://localhost:3900',
  key: undefined,
  keysFile: undefined,
  keyVariable: 'PROJECT_API_KEY',
}

test('first call: on Linux and macOS the key is the new one, or read from the file or the environment', () => {
  for (const platform of ['linux', 'darwin']) {
    assert.match(
      firstCall({ ...call, key: 'ak_new' }, platform),
      /^curl -s .* -H "x-api-key: ak_new" .*Paris/,
    )
    assert.match(
      firstCall({ ...call, keysFile: "/it's/keys.json" }, platform),
      /\$\(sed .* '\/it'\\''s\/keys/,
    )
    assert.match(firstCall(call, platform), /x-api-key: \$PROJECT_API_KEY"/)
  }
})

test('first call: on Windows the command is the same in cmd and PowerShell, with no single quotes or variables', () => {
  const created = firstCall({ ...call, key: 'ak_new', keysFile: 'C:\\data\\keys.json' }, 'win32')
  assert.equal(
    created,
    'curl.exe -s http://localhost:3900/api/v3.1/tools/execute/UTILITIES_GET_CURRENT_TIME -H "x-api-key: ak_new" ' +
      '-H "content-type: application/json" -d "{}"',
  )
  const later = firstCall({ ...call, keysFile: 'C:\\data\\keys.json' }, 'win32')
  assert.equal(later, 'patchbay tools execute UTILITIES_GET_CURRENT_TIME')
  assert.match(firstCall(call, 'win32'), /"x-api-key: value of PROJECT_API_KEY"/)
})
