// Writes docs/reference/errors.md; with --check fails when it is out of date.
import { type ErrorSlug, ERRORS, RETIRED_ERRORS, SHARED_ERRORS } from '../src/contract/errors/index.ts'
import { routes } from '../src/contract/index.ts'
import { writeGenerated } from './generated.ts'

const slugs = Object.keys(ERRORS) as ErrorSlug[]

function operationsWith(slug: ErrorSlug): string {
  if (SHARED_ERRORS.includes(slug)) return 'every operation'
  const ids = routes.filter(({ errors }) => errors.includes(slug)).map(({ id }) => `\`${id}\``)
  if (ids.length > 0) return ids.join(', ')
  return slug.startsWith('HTTP_') ? 'the server itself' : 'routes outside of the API'
}

/** The part of a slug before the reason: `Auth_Config` of `Auth_Config_NotFound`. */
const domainOf = (slug: string): string => slug.slice(0, slug.lastIndexOf('_'))

function section(domain: string): string[] {
  return [
    `## ${domain}`,
    '',
    '| Slug | Code | Status | Next step | Returned by |',
    '|---|---|---|---|---|',
    ...slugs.filter((slug) => domainOf(slug) === domain).map(row),
    '',
  ]
}

function row(slug: ErrorSlug): string {
  const { code, status, fix } = ERRORS[slug]
  return `| \`${slug}\` | ${code} | ${status} | ${fix.replaceAll('|', '\\|')} | ${operationsWith(slug)} |`
}

const example = {
  error: {
    message: 'Tool NOPE not found',
    code: ERRORS.Tool_ToolNotFound.code,
    slug: 'Tool_ToolNotFound',
    status: ERRORS.Tool_ToolNotFound.status,
    request_id: '0b7c3d7e-5f0a-4a43-9d0e-2c5b8f1f5a11',
    suggested_fix: ERRORS.Tool_ToolNotFound.fix,
    errors: [],
  },
}

const retired = RETIRED_ERRORS.map(({ slug, code }) => `| \`${slug}\` | ${code} |`)
const page = [
  '# Errors',
  '',
  '<!-- Written by scripts/write-errors-reference.ts from src/contract/errors/. -->',
  '',
  'Every failing request returns the same envelope. Use `slug` or `code` in programs: they never change ' +
    'their meaning. ' +
    '`message` is for people, and its wording may change.',
  '',
  '```json',
  JSON.stringify(example, null, 2),
  '```',
  '',
  'A tool that fails is not an error of the API: `tools.execute` returns 200 with `successful: false` ' +
    'and the reason in ' +
    '`error`.',
  '',
  'If a request is not valid, `message` contains the first invalid field, and `errors` contains all of them.',
  '',
  ...[...new Set(slugs.map(domainOf))].flatMap(section),
  '## Retired codes',
  '',
  'Slugs and codes of errors that were removed. They are never used again.',
  '',
  ...(retired.length > 0 ? ['| Slug | Code |', '|---|---|', ...retired] : ['None.']),
  '',
].join('\n')
writeGenerated('docs/reference/errors.md', page, 'scripts/write-errors-reference.ts', process.argv.slice(2))
