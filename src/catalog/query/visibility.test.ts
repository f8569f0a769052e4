import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Visibility, visibilityFilter } from './visibility.ts'

const tool = (slug: string, ...tags: string[]) => ({ slug, toolkit: slug.split('_')[0]!.toLowerCase(), tags })
const TOOLS = [
  tool('MAIL_READ', 'readOnlyHint', 'important'),
  tool('MAIL_SEND', 'createHint', 'openWorldHint'),
  tool('MAIL_DELETE', 'destructiveHint'),
  tool('SHOP_LIST', 'readOnlyHint'),
  tool('SHOP_BUY', 'createHint', 'destructiveHint'),
]
const ALL = TOOLS.map(({ slug }) => slug)
const MAIL = ALL.slice(0, 3)
const SHOP = ALL.slice(3)
const visibleSlugs = (sight: Visibility) => TOOLS.filter(visibilityFilter(sight)).map(({ slug }) => slug)

// The statements of the specification, one a row, and the corners between them.
const CASES: readonly (readonly [what: string, sight: Visibility, visible: readonly string[]])[] = [
  ['without a word, all', {}, ALL],
  ['toolkits.enable', { toolkits: { enable: ['mail'] } }, MAIL],
  ['toolkits.enable with nothing is nothing', { toolkits: { enable: [] } }, []],
  ['toolkits.disable', { toolkits: { disable: ['mail'] } }, SHOP],
  ['toolkits.disable with nothing is all', { toolkits: { disable: [] } }, ALL],
  [
    'slugs of toolkits in any case',
    { toolkits: { enable: ['MAIL'] }, tools: { Mail: { enable: ['mail_read'] } } },
    ['MAIL_READ'],
  ],
  [
    'tools.enable of one toolkit leaves the others',
    { tools: { mail: { enable: ['MAIL_READ'] } } },
    ['MAIL_READ', ...SHOP],
  ],
  ['tools.enable with nothing hides the toolkit', { tools: { mail: { enable: [] } } }, SHOP],
  ['tools.disable', { tools: { mail: { disable: ['MAIL_SEND'] } } }, ['MAIL_READ', 'MAIL_DELETE', ...SHOP]],
  [
    'tools of a toolkit that is not shown have no effect',
    { toolkits: { enable: ['shop'] }, tools: { mail: { enable: ['MAIL_READ'] } } },
    SHOP,
  ],
  [
    'a tool that another toolkit lists is not shown by it',
    { tools: { mail: { enable: ['SHOP_BUY'] } } },
    SHOP,
  ],
  ['an enabled tag', { tags: { enable: ['readOnlyHint'] } }, ['MAIL_READ', 'SHOP_LIST']],
  [
    'several enabled tags: one suffices',
    { tags: { enable: ['readOnlyHint', 'createHint'] } },
    ['MAIL_READ', 'MAIL_SEND', 'SHOP_LIST', 'SHOP_BUY'],
  ],
  ['a disabled tag', { tags: { disable: ['destructiveHint'] } }, ['MAIL_READ', 'MAIL_SEND', 'SHOP_LIST']],
  [
    'a disabled tag goes before an enabled one',
    { tags: { enable: ['createHint'], disable: ['destructiveHint'] } },
    ['MAIL_SEND'],
  ],
  ['empty lists of tags ask for nothing', { tags: { enable: [], disable: [] } }, ALL],
  [
    'tags of a toolkit replace the general ones',
    { tags: { enable: ['readOnlyHint'] }, tools: { mail: { tags: { enable: ['createHint'] } } } },
    ['MAIL_SEND', 'SHOP_LIST'],
  ],
  [
    'empty tags of a toolkit replace them too',
    { tags: { enable: ['readOnlyHint'] }, tools: { mail: { tags: {} } } },
    [...MAIL, 'SHOP_LIST'],
  ],
  [
    'an empty entry leaves the general tags',
    { tags: { enable: ['readOnlyHint'] }, tools: { mail: {} } },
    ['MAIL_READ', 'SHOP_LIST'],
  ],
  [
    'tools.enable goes before tags',
    { tags: { disable: ['destructiveHint'] }, tools: { mail: { enable: ['MAIL_DELETE'] } } },
    ['MAIL_DELETE', 'SHOP_LIST'],
  ],
  [
    'tools.disable goes before tags',
    { tags: { enable: ['readOnlyHint'] }, tools: { mail: { disable: ['MAIL_READ'] } } },
    ['MAIL_SEND', 'MAIL_DELETE', 'SHOP_LIST'],
  ],
  [
    'what auth configs allow',
    {
      allowed: new Map([
        ['mail', ['MAIL_READ']],
        ['shop', null],
      ]),
    },
    ['MAIL_READ', ...SHOP],
  ],
  [
    'what auth configs allow only narrows',
    { tools: { mail: { enable: ['MAIL_SEND'] } }, allowed: new Map([['mail', ['MAIL_READ']]]) },
    SHOP,
  ],
]

test('visibility: filters apply in the order of the specification', () => {
  for (const [what, sight, visible] of CASES) assert.deepEqual(visibleSlugs(sight), visible, what)
})

test('visibility: a list can contain the former name of a tool', () => {
  const current = (slug: string) => (slug === 'MAIL_FETCH' ? 'MAIL_READ' : slug)
  const see = (sight: Visibility) => TOOLS.filter(visibilityFilter(sight, current)).map(({ slug }) => slug)
  assert.deepEqual(see({ tools: { mail: { enable: ['MAIL_FETCH'] } } }), ['MAIL_READ', ...SHOP])
  assert.deepEqual(see({ tools: { mail: { disable: ['MAIL_FETCH'] } } }), [
    'MAIL_SEND',
    'MAIL_DELETE',
    ...SHOP,
  ])
  assert.deepEqual(see({ allowed: new Map([['mail', ['MAIL_FETCH']]]) }), ['MAIL_READ', ...SHOP])
})

const names = (from: readonly string[]) => fc.subarray([...from])
const tags = fc.record(
  {
    enable: names(['readOnlyHint', 'createHint', 'destructiveHint']),
    disable: names(['openWorldHint', 'destructiveHint']),
  },
  { requiredKeys: [] },
)
const lists = fc.record({ enable: names(ALL), disable: names(ALL), tags }, { requiredKeys: [] })
const sight: fc.Arbitrary<Visibility> = fc.record(
  {
    toolkits: fc.oneof(
      names(['mail', 'shop']).map((enable) => ({ enable })),
      names(['mail', 'shop']).map((disable) => ({ disable })),
    ),
    tools: fc.dictionary(fc.constantFrom('mail', 'shop', '__proto__', 'constructor'), lists),
    tags,
    allowed: fc
      .array(fc.tuple(fc.constantFrom('mail', 'shop'), fc.option(names(ALL))))
      .map((pairs) => new Map(pairs)),
  },
  { requiredKeys: [] },
)

test('visibility: each added filter only hides tools, except per-toolkit lists and tags', () => {
  fc.assert(
    fc.property(sight, (visibility) => {
      const visible = visibleSlugs(visibility)
      const { toolkits: _, ...anyToolkit } = visibility
      const { allowed: __, ...anyConfig } = visibility
      for (const wider of [anyToolkit, anyConfig])
        for (const slug of visible) assert.ok(visibleSlugs(wider).includes(slug), slug)
      for (const { slug, toolkit, tags: own } of TOOLS.filter(({ slug }) => visible.includes(slug))) {
        const entry = Object.hasOwn(visibility.tools ?? {}, toolkit) ? visibility.tools?.[toolkit] : undefined
        assert.ok(!entry?.enable || entry.enable.includes(slug))
        assert.ok(entry?.enable || !entry?.disable?.includes(slug))
        const judged = entry?.enable ? {} : (entry?.tags ?? (entry?.disable ? {} : visibility.tags) ?? {})
        assert.ok(
          !judged.disable?.some((tag) => own.includes(tag)) &&
            (!judged.enable?.length || judged.enable.some((tag) => own.includes(tag))),
        )
        assert.ok(visibility.allowed?.get(toolkit)?.includes(slug) ?? true)
      }
    }),
    { numRuns: 500 },
  )
})
