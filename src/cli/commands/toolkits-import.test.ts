import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { ToolkitImportReport } from '../../contract/toolkits/index.ts'
import { cli } from '#fixtures/cli.ts'

const reply: ToolkitImportReport = {
  slug: 'shop',
  name: 'Shop',
  type: 'openapi',
  version: '20261121_01',
  created: true,
  dry_run: false,
  auth_schemes: ['API_KEY'],
  counts: { operations: 5, tools: 3, refused: 2, quarantined: 0 },
  tools: ['SHOP_A'],
  refused: [
    { cause: 'bad_path', count: 2, examples: [{ operation: 'GET /x', reason: 'The path holds a brace.' }] },
  ],
  quarantined: [],
  notes: ['A note.'],
  difference: {
    counts: { added: 1, removed: 1, changed: 1, breaking: 2 },
    added: ['SHOP_NEW'],
    removed: ['SHOP_OLD'],
    changed: [{ slug: 'SHOP_A', breaking: ['`id` is required.'], other: [] }],
    toolkit: { breaking: [], other: ['API_KEY changed.'] },
  },
}

test('toolkits import: a file is sent compressed, a URL unchanged, with the values of the flags', async (t) => {
  const { run, cwd } = cli(t, { body: reply })
  writeFileSync(join(cwd, 'api.yaml'), 'openapi: 3.0.0')
  const {
    seen: [file],
    code,
  } = await run('toolkits', 'import', 'api.yaml', '--slug', 'shop', '--auth', 'api_key:X-Key')
  const { content_gzip: gzip, ...rest } = file!.body as { content_gzip: string }
  assert.deepEqual(
    [code, file!.method, file!.url.pathname, gunzipSync(Buffer.from(gzip, 'base64')).toString(), rest],
    [
      0,
      'POST',
      '/api/v3.1/toolkits/import',
      'openapi: 3.0.0',
      { slug: 'shop', auth: { type: 'api_key', in: 'header', name: 'X-Key' } },
    ],
  )
  const {
    seen: [address],
  } = await run(
    'toolkits',
    'import',
    'https://x.example/graphql',
    '--type',
    'graphql',
    '--header',
    'authorization: Bearer a:b',
    '--header',
    'x-y: z',
    '--auth',
    '[{"scheme": "BASIC"}]',
    '--dry-run',
    '--lenient',
    '--name',
    'Shop',
    '--server',
    'https://y.example',
  )
  assert.deepEqual(address!.body, {
    url: 'https://x.example/graphql',
    type: 'graphql',
    headers: { authorization: 'Bearer a:b', 'x-y': 'z' },
    auth_schemes: [{ scheme: 'BASIC' }],
    lenient: true,
    dry_run: true,
    name: 'Shop',
    server: 'https://y.example',
  })
  assert.deepEqual(
    (await run('toolkits', 'import', 'https://x.example/a', '--auth', 'query:key')).seen[0]!.body,
    { url: 'https://x.example/a', auth: { type: 'api_key', in: 'query', name: 'key' } },
  )
})

test('toolkits import: the report shows counts, causes, and breaking changes first', async (t) => {
  const { out, err } = await cli(t, { body: reply }).run('toolkits', 'import', 'https://x.example/a')
  assert.match(err, /Importing https:\/\/x\.example\/a/)
  assert.match(
    out,
    /^shop {2}Shop {2}version 20261121_01\n3 tools of 5 operations \(openapi\); sign-in: API_KEY\nnote: A note\.\n/,
  )
  assert.match(out, /SKIPPED +CAUSE +FOR EXAMPLE\n2 +bad_path +GET \/x: The path holds a brace\./)
  assert.match(
    out,
    /1 added, 1 removed, 1 changed; 2 breaking\n[^]*~ +\(toolkit\) +API_KEY changed\.\n- +SHOP_OLD +removed[^\n]*\n! +SHOP_A +`id` is required\.\n\+ +SHOP_NEW +new/,
  )
  const first = await cli(t, { body: { ...reply, difference: null, refused: [], notes: [] } }).run(
    'toolkits',
    'import',
    'https://x.example/a',
  )
  assert.match(first.err, /Next: patchbay tools list --toolkit-slug shop/)
  assert.match(
    (
      await cli(t, { body: { ...reply, created: false, difference: null } }).run(
        'toolkits',
        'import',
        'https://x.example/a',
      )
    ).out,
    /no changes, version 20261121_01/,
  )
  assert.match(
    (
      await cli(t, { body: { ...reply, dry_run: true, version: null } }).run(
        'toolkits',
        'import',
        'https://x.example/a',
        '--dry-run',
      )
    ).out,
    /preview: nothing is saved/,
  )
  assert.deepEqual(
    JSON.parse(
      (await cli(t, { body: reply }).run('toolkits', 'import', 'https://x.example/a', '--json')).out,
    ),
    reply,
  )
})

test('toolkits import: incorrect usage makes no call, and an error response shows its fix', async (t) => {
  const { run } = cli(t)
  for (const args of [
    [],
    ['nowhere.json'],
    ['https://x.example/a', '--auth', 'magic'],
    ['https://x.example/a', '--auth', 'api_key:'],
    ['https://x.example/a', '--header', 'nothing'],
    ['https://x.example/a', '--auth', '{'],
  ]) {
    const { code, seen } = await run('toolkits', 'import', ...args)
    assert.deepEqual([code, seen.length], [2, 0], args.join(' '))
  }
  const refused = await cli(t, {
    status: 422,
    body: {
      error: {
        message: 'The document describes no operations.',
        slug: 'Toolkit_DocumentRefused',
        suggested_fix: 'Fix it.',
        errors: ['Error in payload.url: no_operations'],
      },
    },
  }).run('toolkits', 'import', 'https://x.example/a')
  assert.equal(refused.code, 1)
  assert.match(refused.err, /no operations[^]*no_operations[^]*Fix it/)
})
