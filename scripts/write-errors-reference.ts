// Writes docs/reference/errors.md; with --check fails when it is out of date.
import { ERRORS, type ErrorSlug, SHARED_ERRORS } from '../src/contract/errors/index.ts'
import { routes } from '../src/contract/index.ts'
import { writeGenerated } from './generated.ts'

const isShared = (slug: ErrorSlug): boolean => SHARED_ERRORS.includes(slug)
const operationsOf = (slug: ErrorSlug): string => {
  if (isShared(slug)) return 'every operation'
  const named = routes.filter((route) => route.errors.includes(slug)).map(({ id }) => `\`${id}\``)
  if (slug === 'HTTP_NotImplemented') return 'every planned operation'
  return named.length > 0
    ? named.join(', ')
    : slug.startsWith('HTTP_')
      ? 'the server itself'
      : 'none in this release'
}
const sections = new Map<string, ErrorSlug[]>()
for (const slug of Object.keys(ERRORS) as ErrorSlug[]) {
  const family = slug.slice(0, slug.indexOf('_', slug.startsWith('Auth_') ? 5 : 0))
  sections.set(family, [...(sections.get(family) ?? []), slug])
}

const page = [
  '# Errors',
  '',
  '<!-- Written by scripts/write-errors-reference.ts from src/contract/errors/index.ts. -->',
  '',
  'Every failing call answers with the same envelope. Branch on `slug` or `code`, which keep their meaning for ever; `message` is for people and may change.',
  '',
  '```json',
  JSON.stringify(
    {
      error: {
        message: 'No tool NOPE.',
        code: ERRORS.Tool_ToolNotFound.code,
        slug: 'Tool_ToolNotFound',
        status: ERRORS.Tool_ToolNotFound.status,
        request_id: '0b7c3d7e-5f0a-4a43-9d0e-2c5b8f1f5a11',
        suggested_fix: ERRORS.Tool_ToolNotFound.fix,
        errors: [],
      },
    },
    null,
    2,
  ),
  '```',
  '',
  'A tool that fails is not an error of the API: `tools.execute` answers 200 with `successful: false` and the reason in `error`.',
  '',
  ...[...sections].flatMap(([family, slugs]) => [
    `## ${family}`,
    '',
    '| Slug | Code | Status | What to do | Answered by |',
    '|---|---|---|---|---|',
    ...slugs.map(
      (slug) =>
        `| \`${slug}\` | ${ERRORS[slug].code} | ${ERRORS[slug].status} | ${ERRORS[slug].fix.replaceAll('|', '\\|')} | ${operationsOf(slug)} |`,
    ),
    '',
  ]),
]
  .join('\n')
  .replace(/\n+$/, '\n')
writeGenerated('docs/reference/errors.md', page, 'scripts/write-errors-reference.ts', process.argv.slice(2))
