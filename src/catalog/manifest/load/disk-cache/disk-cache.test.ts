import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createCatalog } from '../../../query/catalog.ts'
import { canonicalJson } from '../../../importers/versions/canonical-json.ts'
import { catalogFromSources, loadCatalog } from '../load.ts'
import { checkIcon } from '../../lint/toolkit.ts'
import type { Toolkit } from '../../../types/index.ts'
import { selectTools, readAllTools } from '../../../query/select.ts'
import { selectToolkits } from '../../../query/select-toolkits.ts'
import { sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'
import { toolParameters } from '../../../query/tool-parameters.ts'
import { compressJson, decompressJson } from './file-format.ts'
import type { CachedToolkitContent } from './write.ts'
import { CacheFileDamaged, letterIcon, cachedReleases, openOrWriteCachedToolkit } from './index.ts'

async function cache(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-cache-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A content and its digest. */
function contentOf(
  toolkit: Record<string, unknown>,
  tools: unknown[],
): [digest: string, content: () => Promise<CachedToolkitContent>] {
  const { created: _, releases: __, ...rest } = toolkit
  return [
    createHash('sha256')
      .update(JSON.stringify([rest, tools]))
      .digest('hex'),
    async () => ({ toolkit: rest, tools }) as unknown as CachedToolkitContent,
  ]
}

const release = (version: string, cached: Awaited<ReturnType<typeof openOrWriteCachedToolkit>>) => ({
  version,
  changes: 'First.',
  cached: cached,
})

/**
 * Everything but functions, which differ from one compilation to the next. As text, since the difference of
 * two catalogues is no help.
 */
const text = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) => (inner instanceof Set ? [...inner] : inner))
const firstDifference = (one: readonly unknown[], other: readonly unknown[]) =>
  one
    .map(text)
    .flatMap((said, at) =>
      said === text(other[at]) ? [] : [[said.slice(0, 2_000), text(other[at])?.slice(0, 2_000)]],
    )[0]
const withoutOrigin = ({ origin: _, icon: __, ...toolkit }: Toolkit) => toolkit

/** Eight shipped toolkits, in memory and read from the disk cache in `folder`. */
async function loadBoth(folder: string) {
  const shipped = await loadCatalog({
    folder: fileURLToPath(new URL('../../../../../toolkits', import.meta.url)),
  })
  const whole = [...readAllTools(shipped)]
  const bySlug = Map.groupBy(
    whole.filter(({ request }) => request),
    ({ toolkit }) => toolkit,
  )
  const chosen = shipped.toolkits
    .filter(({ slug, toolCount }) => bySlug.get(slug)?.length === toolCount)
    .slice(0, 8)
  assert.equal(chosen.length, 8)
  const sources = chosen.map((toolkit) => ({
    slug: toolkit.slug,
    icon: '<svg/>',
    toolkit: { ...toolkit.manifest, releases: toolkit.releases.slice(0, 1) },
    tools: { tools: bySlug.get(toolkit.slug)!.map(({ manifest }) => manifest) },
  }))
  const memory = catalogFromSources(sources)
  const fromDisk = createCatalog(
    await Promise.all(
      sources.map(async ({ toolkit, tools }) => {
        const cached = await openOrWriteCachedToolkit(folder, ...contentOf(toolkit, tools.tools))
        return cachedReleases(
          [{ version: toolkit.releases[0]!.version, changes: toolkit.releases[0]!.changes, cached: cached }],
          toolkit.created,
          'instance',
        )
      }),
    ),
  )
  return { memory, fromDisk }
}

test('disk cache: a cached toolkit returns the same values as one in memory', async (t) => {
  const { memory, fromDisk } = await loadBoth(await cache(t))
  assert.equal(
    firstDifference(
      memory.toolkits.map(({ manifest }) => canonicalJson(manifest)),
      fromDisk.toolkits.map(({ manifest }) => canonicalJson(manifest)),
    ),
    undefined,
  )
  for (const toolkit of memory.toolkits) {
    for (const [name, value] of Object.entries(withoutOrigin(toolkit))) {
      if (name === 'manifest' || name === 'tools') continue
      assert.equal(
        text(fromDisk.toolkit(toolkit.slug)![name as 'name']),
        text(value),
        `${name} of ${toolkit.slug}`,
      )
    }
  }
  const compare = (filter: Partial<Parameters<typeof selectTools>[1]>) => {
    const [one, other] = [memory, fromDisk].map((catalog) =>
      [...selectTools(catalog, { defaultVersion: 'latest', ...filter })].map(({ tool, version }) => [
        version,
        tool,
      ]),
    )
    assert.ok(one!.length > 0)
    assert.deepEqual([other!.length, firstDifference(one!, other!)], [one!.length, undefined])
  }
  compare({})
  compare({ important: true, defaultVersion: '00000000_00' })
  compare({ tags: ['destructiveHint'] })
  compare({ scopes: [] })
  compare({ query: 'send a message' })
  const { slug } = [...memory.tools].at(-1)!
  assert.deepEqual(
    toolParameters(fromDisk.tool(slug.toLowerCase(), 'latest')!.tool),
    toolParameters(memory.tool(slug, 'latest')!.tool),
  )
  assert.deepEqual(
    [
      fromDisk.tool('GITHUB_NO', 'latest'),
      fromDisk.tool('', ''),
      fromDisk.toolkit('nobody'),
      fromDisk.ownerOf(slug),
    ],
    [undefined, undefined, undefined, memory.ownerOf(slug)],
  )
})

/** 20 toolkits with 1,000 tools each, read from the disk cache in `folder`. */
async function loadManyTools(folder: string) {
  const holdings = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const slug = `many${String(at).padStart(2, '0')}`
      const tools = Array.from({ length: 1_000 }, (_, number) =>
        sampleTool({
          slug: `${slug.toUpperCase()}_GET_${number}`,
          important: number === 500,
          deprecated: number % 2 === 1,
          tags: number % 10 === 3 ? ['third'] : [],
        }),
      )
      return cachedReleases(
        [
          release(
            '20260115_00',
            await openOrWriteCachedToolkit(folder, ...contentOf(sampleToolkit({ slug, name: slug }), tools)),
          ),
        ],
        '2026-01-15',
        'instance',
      )
    }),
  )
  return createCatalog(holdings)
}

test('disk cache: pages and filters over 20,000 tools read only the tools that they return', async (t) => {
  const catalog = await loadManyTools(await cache(t))
  const reads = t.mock.method(fs, 'openSync').mock
  const read = <T>(run: () => T): [T, number] => {
    const before = reads.callCount()
    return [run(), reads.callCount() - before]
  }
  const [listed, forToolkits] = read(() => [
    selectToolkits(catalog, {}).length,
    selectToolkits(catalog, { search: 'many07' })[0]?.slug,
    catalog.toolCount,
  ])
  assert.deepEqual(
    [listed, forToolkits],
    [[20, 'many07', 20_000], 0],
    'toolkits are listed without their tools',
  )
  assert.equal(read(() => catalog.tools.length)[1], 20, 'one part a toolkit, once')
  const slugs = (filter: Partial<Parameters<typeof selectTools>[1]>, from: number, to: number) =>
    read(() => {
      const found = selectTools(catalog, { defaultVersion: 'latest', ...filter })
      return [found.length, found.slice(from, to).map(({ tool }) => tool.slug)] as const
    })
  const pages: [Partial<Parameters<typeof selectTools>[1]>, number, number, readonly string[]][] = [
    [{}, 0, 20_000, ['MANY00_GET_500', 'MANY01_GET_500']],
    [{}, 19_998, 20_000, ['MANY19_GET_998', 'MANY19_GET_999']],
    [{ defaultVersion: '00000000_00' }, 20, 20_000, ['MANY00_GET_0', 'MANY00_GET_1']],
    [{ includeDeprecated: false, tags: ['third'] }, 0, 0, []],
    [{ tags: ['third'] }, 0, 2_000, ['MANY00_GET_103', 'MANY00_GET_113']],
    [{ toolkits: ['many07'] }, 1, 1_000, ['MANY07_GET_0', 'MANY07_GET_1']],
    [{ important: true }, 18, 20, ['MANY18_GET_500', 'MANY19_GET_500']],
    [{ versions: '20260115_00' }, 0, 20_000, ['MANY00_GET_500', 'MANY01_GET_500']],
    [{ versions: '20250101_00' }, 0, 0, []],
    [{ versions: { many03: '00000000_00' } }, 3, 20_000, ['MANY03_GET_500', 'MANY04_GET_500']],
    [
      {
        allowed: new Map([
          ['many03', ['MANY03_GET_7']],
          ['many04', null],
        ]),
      },
      0,
      1_001,
      ['MANY04_GET_500', 'MANY03_GET_7'],
    ],
  ]
  for (const [filter, from, length, expected] of pages) {
    const [[total, page], count] = slugs(filter, from, from + 2)
    assert.deepEqual([total, page], [length, expected], JSON.stringify(filter))
    assert.ok(count <= 4, `${count} reads for a page of two`)
  }
})

test('disk cache: a damaged file is reported and written again, and an intact one is reused', async (t) => {
  const folder = await cache(t)
  const [digest, content] = contentOf(sampleToolkit(), [sampleTool()])
  await openOrWriteCachedToolkit(folder, digest, content)
  const [name = ''] = await readdir(folder)
  const file = join(folder, name)
  const sound = await readFile(file)
  await openOrWriteCachedToolkit(folder, digest, async () => {
    throw new Error('asked for the content')
  })
  let writes = 0
  for (let at = 0; at < sound.length; at += 23) {
    const damaged = Buffer.from(sound)
    damaged[at]! ^= 0x41
    await writeFile(file, damaged)
    const cached = await openOrWriteCachedToolkit(folder, digest, async () => {
      writes++
      return content()
    })
    try {
      assert.equal([...cached.manifests()].length, 1)
      assert.equal(cached.tool('SHOP_GET_ORDER')?.name, 'Get order')
    } catch (error) {
      assert.ok(error instanceof CacheFileDamaged, `byte ${at}: ${String(error)}`)
    }
  }
  assert.ok(writes > 3)
  for (const length of [0, 5, 12, 100, sound.length - 1]) {
    await writeFile(file, sound.subarray(0, length))
    assert.equal(
      (await openOrWriteCachedToolkit(folder, digest, content)).entries.length,
      1,
      `${length} bytes`,
    )
    assert.deepEqual(await readFile(file), sound)
  }
  const opened = await openOrWriteCachedToolkit(folder, digest, content)
  await rm(file)
  assert.throws(() => [...opened.manifests()], CacheFileDamaged)
  assert.deepEqual(
    (await Promise.all([1, 2, 3].map(() => openOrWriteCachedToolkit(folder, digest, content)))).map(
      ({ entries }) => entries.length,
    ),
    [1, 1, 1],
    'several at once',
  )
  assert.deepEqual(await readdir(folder), [name], 'nothing else is left')
})

test('disk cache: one tool that fails the current checks does not affect the other tools', async (t) => {
  const broken = [
    sampleTool({ slug: 'SHOP_A', request: { method: 'GET', path: '/{a|}' } }),
    sampleTool({ slug: 'SHOP_B', request: undefined }),
    sampleTool({ slug: 'SHOP_C', response: { pick: 'a b' } }),
  ]
  const cached = await openOrWriteCachedToolkit(
    await cache(t),
    ...contentOf(sampleToolkit(), [...broken, sampleTool()]),
  )
  assert.deepEqual(
    [cached.entries.map(({ slug }) => slug), cached.summary.toolCount],
    [['SHOP_GET_ORDER'], 1],
  )
})

test('letter icon: the SVG is well-formed for every name and does not vary', () => {
  for (const name of [
    'Shop',
    'Pet Store API',
    '<script>alert(1)</script>',
    '',
    '🙂',
    '日本 語',
    '&"\'<>',
    'ß'.repeat(10_000),
    '\u202e\u0000',
  ]) {
    const faults: string[] = []
    checkIcon(letterIcon(name), { add: (_, reason) => faults.push(reason) })
    assert.deepEqual(faults, [], name.slice(0, 20))
    assert.equal(letterIcon(name), letterIcon(name))
    assert.ok(letterIcon(name).length < 600)
  }
  assert.match(letterIcon('Pet Store API'), />PS</)
})

test('disk cache: a compressed part keeps no memory beyond its bytes', () => {
  const part = { name: 'List orders', description: 'Returns the orders of a shop, newest first. '.repeat(40) }
  const compressed = compressJson(part)
  assert.equal(compressed.buffer.byteLength, compressed.length)
  assert.deepEqual(decompressJson(compressed, 10_000), part)
})
