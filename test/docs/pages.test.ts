import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename, dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { ERRORS } from '../../src/contract/errors/index.ts'
import { routes } from '../../src/contract/index.ts'
import { openCatalog } from '../../src/catalog/index.ts'
import { API_VERSIONS, AREAS } from '../../src/contract/route.ts'
import { ACCOUNT_STATUSES, AUTH_SCHEMES } from '../../src/contract/schemes.ts'
import { PROXY_SLUG } from '../../src/engine/index.ts'
import { settings } from '../../src/platform/config/settings.ts'
import { OPERATIONS_OF_USER_KEYS } from '../../src/platform/http/server/missing-route.ts'
import { BRANDED_NAMES } from '../../src/contract/branded-names.ts'
import { anchorsOf, inlineCode, page, pages, proseOf, ROOT, shellOf, type Page } from './markdown.ts'
import { allCommands, commandFaults } from './commands.ts'

const GUIDE_LINES_MAX = 120
const all = pages()
/** Every page, and for each what is wrong with it: one list to read when something is. */
const wrong = (check: (page: Page) => Iterable<string>) =>
  all.flatMap((page) => [...check(page)].map((text) => `${page.file}: ${text}`))

test('every relative link leads to a file, and its anchor to a heading', () => {
  assert.deepEqual(
    wrong(function* (page) {
      for (const [, target = ''] of proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target)) continue
        const [path = '', anchor] = target.split('#')
        const file = path ? normalize(join(dirname(page.file), path)) : page.file
        if (!existsSync(join(ROOT, file))) yield `${target} leads nowhere`
        else if (anchor && !anchorsOf(readFileSync(join(ROOT, file), 'utf8')).includes(anchor))
          yield `${target}: no such heading`
      }
    }),
    [],
  )
})

test('every block of JSON parses and every block of shell is shell', () => {
  assert.deepEqual(
    wrong(function* ({ blocks }) {
      for (const { lang, words, text, line } of blocks) {
        // In expected output an ellipsis stands for anything.
        if (lang === 'json' && !words.includes('output'))
          try {
            JSON.parse(text)
          } catch (error) {
            yield `line ${line}: ${(error as Error).message}`
          }
        if (lang === 'sh') {
          const { stderr } = spawnSync('bash', ['-n', '-c', text], { encoding: 'utf8' })
          if (stderr) yield `line ${line}: ${stderr}`
        }
        if (lang === 'ts')
          try {
            stripTypeScriptTypes(text)
          } catch (error) {
            yield `line ${line}: ${(error as Error).message}`
          }
        // Python that does not run is checked by nothing: this program has no parser of it.
        if (lang === 'py' && words.includes('run')) continue
        if (!['sh', 'js', 'ts', 'json', 'text', 'mermaid', ''].includes(lang))
          yield `line ${line}: ${lang} is checked by nobody`
      }
    }),
    [],
  )
})

test('every command that is named exists, with its flags', () => {
  const commands = allCommands()
  assert.deepEqual(
    wrong(function* (page) {
      const lines = [
        ...shellOf(page).split('\n'),
        ...inlineCode(page).filter((code) => code.startsWith('patchbay ')),
      ]
      for (const line of lines) yield* commandFaults(line, commands)
    }),
    [],
  )
})

test('a command that does not exist is noticed', () => {
  const commands = allCommands()
  assert.deepEqual([...commandFaults('patchbay tools list --limit 1 | head', commands)], [])
  assert.deepEqual(
    [...commandFaults('X=$(patchbay --json tools lisst --limmit 1)', commands)],
    ['patchbay tools lisst is no command'],
  )
  assert.deepEqual(
    [...commandFaults("patchbay tools list --limmit 1 --query '--no-flag'", commands)],
    ['patchbay tools list has no --limmit'],
  )
})

test('every npm script that is named exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  assert.deepEqual(
    wrong(function* ({ text }) {
      for (const [, name = ''] of text.matchAll(/npm run ([\w:-]+)/g))
        if (!Object.hasOwn(scripts, name)) yield `npm run ${name}`
    }),
    [],
  )
})

test('pages: every variable that is set is a setting, one of the command line, or used by the page', () => {
  const names = new Set(Object.values(settings).flatMap(({ name }) => [name, `PATCHBAY_${name}`]))
  const ofCommandLine = [
    'PATCHBAY_URL',
    'PATCHBAY_API_KEY',
    'PATCHBAY_ORG_API_KEY',
    'SOURCE_API_KEY',
    'NO_COLOR',
  ]
  for (const name of ofCommandLine) names.add(name)
  assert.deepEqual(
    wrong(function* (page) {
      const shell = shellOf(page)
      for (const [, name = ''] of shell.matchAll(/(?:^|[\s(])([A-Z][A-Z0-9_]*)=/gm))
        if (!names.has(name) && !shell.includes(`$${name}`)) yield `${name} is set and is no setting`
    }),
    [],
  )
})

test('every name in capitals is one that the product knows', () => {
  const known = new Set<string>([
    ...Object.values(settings).map(({ name }) => name),
    ...AUTH_SCHEMES,
    ...ACCOUNT_STATUSES,
    ...globSync('toolkits/*/tools.json', { cwd: ROOT }).flatMap(toolsOf),
    ...globSync('toolkits/*/tools/*.json', { cwd: ROOT }).map((file) => basename(file, '.json')),
    'PATCHBAY_URL',
    'PATCHBAY_API_KEY',
    'PATCHBAY_ORG_API_KEY',
    'NO_COLOR',
    'BROWSER_SCREENSHOTS',
    PROXY_SLUG,
    ...BRANDED_NAMES.metaTools,
  ])
  const catalog = openCatalog({ folder: join(ROOT, 'toolkits') })
  const isKnown = (name: string) => known.has(name) || catalog.tool(name, 'latest') !== undefined
  assert.deepEqual(
    wrong(function* (page) {
      const own = new Set(
        [...page.text.matchAll(/"slug": "([A-Z_]+)"|\b([A-Z][A-Z0-9_]+)=|\$([A-Z][A-Z0-9_]+)/g)].flatMap(
          ([, ...names]) => names,
        ),
      )
      for (const code of inlineCode(page)) {
        const name = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=.*)?$/.exec(code)?.[1]
        if (name && !own.has(name) && !isKnown(name)) yield name
      }
    }),
    [],
  )
})

test('every error that is named is in the catalogue', () => {
  assert.deepEqual(
    wrong(function* ({ text }) {
      for (const [, slug = ''] of text.matchAll(
        /\b((?:HTTP|APIKey|Auth_Config|ConnectedAccount|Project|ActionExecute|Toolkit|Tool|Migration)_[A-Z]\w+)\b/g,
      ))
        if (!Object.hasOwn(ERRORS, slug)) yield slug
    }),
    [],
  )
})

test('every address that is named is one of the API', () => {
  const patterns = [
    ...routes.map(({ path }) => path),
    // They return 404 with the operation to use.
    ...Object.keys(OPERATIONS_OF_USER_KEYS),
    // Addresses of browsers, which are no operations of the contract.
    '/s/:id',
    '/toolkits/auth/callback',
    '/toolkits/auth/callback/:toolkit',
    '/toolkits/auth/webhook/:auth_config_id',
  ].map((path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`))
  const versions = API_VERSIONS.map((version) => `/api/${version}`)
  assert.deepEqual(
    wrong(function* (page) {
      const fullPaths = [...page.text.matchAll(/\/api\/(v[\d.]+)(\/[^\s'"`?\\|…)]*)/g)].map(
        ([, version = '', path = '']) => ({ version: `/api/${version}`, path: path.replace(/\/$/, '') }),
      )
      const bare = inlineCode(page)
        .flatMap((code) => /^(?:GET|POST|PATCH|DELETE|PUT) (\/(?!api\/)\S+)$/.exec(code)?.[1] ?? [])
        .filter((path) => !SYSTEM.includes(path))
        .map((path) => ({ version: '/api/v3', path: path.replace(/\?.*$/, '') }))
      for (const { version, path } of [...fullPaths, ...bare]) {
        if (path === '/s') continue // its id is left out
        if (!versions.includes(version) || !patterns.some((pattern) => pattern.test(path)))
          yield `${version}${path}`
      }
    }),
    [],
  )
})
const SYSTEM = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/openapi/operations.json',
  '/reference',
  '/llms.txt',
  '/llms-full.txt',
  '/docs/search.json',
  '/leaked-keys',
]

test('every permission that is named exists', () => {
  const known = Object.entries(AREAS).flatMap(([area, levels]) => levels.map((level) => `${area}:${level}`))
  assert.deepEqual(
    wrong(function* (page) {
      for (const [, permission = ''] of shellOf(page).matchAll(/--permission (\S+)/g))
        if (!known.includes(permission)) yield permission
    }),
    [],
  )
})

test('every file of the repository that is named exists', () => {
  assert.deepEqual(
    wrong(function* (page) {
      for (const code of inlineCode(page)) {
        if (
          /^(src|test|docs|scripts|toolkits|migrations|bin|bench)\/[\w./-]+$/.test(code) &&
          !existsSync(join(ROOT, code)) &&
          !page.text.includes(`file=${code.replace('toolkits/', '')}`)
        )
          yield code
      }
    }),
    [],
  )
})

test('guides: each has at most 120 lines and is linked from docs/README.md', () => {
  const index = page('docs/README.md').text
  const guides = all.filter(({ file }) => file.startsWith('docs/guides/'))
  assert.deepEqual(
    guides.filter(({ text }) => text.split('\n').length > GUIDE_LINES_MAX + 1).map(({ file }) => file),
    [],
  )
  assert.deepEqual(
    guides.filter(({ file }) => !index.includes(`](${file.replace('docs/', '')})`)).map(({ file }) => file),
    [],
  )
})

function toolsOf(file: string): string[] {
  return (JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as { tools: { slug: string }[] }).tools.map(
    ({ slug }) => slug,
  )
}
