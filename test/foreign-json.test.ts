import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Files that may call JSON.parse, and whose text they parse. Other text is parsed with `parseBoundedJson`. */
const OWN_TEXT: Readonly<Record<string, string>> = {
  'src/catalog/manifest/load/toolkit-files.ts': 'manifests on the disk of the administrator',
  'src/catalog/manifest/load/disk-cache/file-format.ts': 'written by this server',
  'src/catalog/manifest/load/disk-cache/part-file.ts': 'written by this server, or a file of the catalogue',
  'src/catalog/manifest/load/disk-cache/cached-toolkit.ts': 'written by this server',
  'src/catalog/manifest/compile/auth/schemes.ts': 'the output of JSON.stringify',
  'src/catalog/schema-formats/restore-arguments.ts': 'a part of a request body, which has been checked',
  'src/catalog/search/segments/snapshot.ts': 'written by this server',
  'src/catalog/importers/source-kind.ts': 'parsed in the process of the import',
  'src/catalog/importers/openapi/read-document.ts': 'parsed in the process of the import',
  'src/catalog/importers/postman/body.ts': 'parsed in the process of the import',
  'src/catalog/importers/worker/import-with-former-slugs.ts': 'written by this server',
  'src/engine/http/describe-request.ts': 'a request of this server',
  'src/engine/recording/recording-file.ts': 'written by this server',
  'src/features/audit-log/export.ts': 'written by this server',
  'src/features/audit-log/schedules.ts': 'written by this server',
  'src/features/audit-log/verify.ts': 'written by this server',
  'src/catalog/importers/versions/content.ts': 'written by this server',
  'src/features/toolkits/folder/last-valid.ts': 'written by this server',
  'src/features/sessions/recipes/parse-program.ts': 'a part of a request body, limited in length',
  'src/features/tools/call-request.ts': 'a header of a request, limited in length',
  'src/auth-schemes/provider-requests/log-entry.ts': 'a request of this server',
  'src/auth-schemes/google-service-account.ts': 'a part of a request body, limited in length',
  'src/platform/bounded-json.ts': 'checks the text first',
  'src/platform/constant-json.ts': 'the output of JSON.stringify',
  'src/platform/json-outline/outline.ts': 'a name in a text that was parsed with bounds before',
  'src/platform/json-outline/request-outline.ts': 'checks the text first',
  'src/platform/json-outline/unparsed-object.ts': 'a part of a text that was parsed with bounds before',
  'src/platform/json-pieces.ts': 'counts depth and values while it parses',
  'src/sandbox/frames.ts': 'at most 64,000 bytes',
  'src/platform/change-bus.ts': 'a notification of this server',
  'src/platform/config/console-sign-in-settings.ts': 'a setting of the administrator',
  'src/platform/config/managed-auth-credentials.ts': 'a setting of the administrator',
  'src/platform/crypto/encryptor.ts': 'written and authenticated by this server',
  'src/platform/db/embedded/binaries.ts': 'a file of a package',
  'src/platform/http/middleware/json-body.ts': 'checks the text first',
  'src/platform/instance-lock.ts': 'written by this server',
  'src/platform/mcp/server/read-messages.ts': 'checks the text first',
}

test('JSON of other servers is parsed with bounds: no other file of the server calls JSON.parse', () => {
  const files = globSync('src/{app,auth-schemes,catalog,contract,engine,features,platform,sandbox}/**/*.ts')
    // Runs inside of the sandbox, where a large text costs the sandbox its own time.
    .filter((file) => !file.startsWith('src/sandbox/wasm/child/'))
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => /\bJSON\.parse\(/.test(readFileSync(file, 'utf8')))
  assert.deepEqual(
    files.filter((file) => !(file in OWN_TEXT)),
    [],
    'Use parseBoundedJson of src/platform/bounded-json.ts, or add the file to the table with the reason.',
  )
})
