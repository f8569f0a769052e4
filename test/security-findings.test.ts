import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const FEATURES = 'src/features'
const ACCOUNTS = `${FEATURES}/connected-accounts`
const INGRESS = `${FEATURES}/triggers/push/ingress/ingress.test.ts`
const SYSTEM = `${FEATURES}/system/system.test.ts`
const RECEIVERS = `${FEATURES}/policies/approvals/receiver-decisions.test.ts`

/** Attacks of the security review, and the test that carries each one out. */
const ATTACKS: readonly [attack: string, file: string, title: string][] = [
  [
    'a pattern of an import blocks the server',
    'src/platform/safe-pattern/safe-pattern.test.ts',
    'any pattern is decided quickly',
  ],
  [
    'a form field brings such a pattern along',
    'src/features/toolkits',
    'a form field with a pattern of exponential time',
  ],
  ['a restricted key approves calls', RECEIVERS, 'attack: a restricted key cannot make itself the receiver'],
  ['a restricted key reads a webhook secret', RECEIVERS, 'attack: a restricted key reads no webhook secret'],
  ['a response of brackets blocks the server', 'src/engine', 'hostile response: 8 MB of brackets'],
  [
    'many large responses use up the memory',
    'src/platform/egress/byte-budget.test.ts',
    '24 large responses at once',
  ],
  [
    'a link silently connects an account of its visitor',
    `${ACCOUNTS}/authorization-flow/consent-page.test.ts`,
    'redirects nobody to the provider',
  ],
  [
    'a code is sent to another provider',
    `${ACCOUNTS}/authorization-flow/redirect-uri.test.ts`,
    'a mixed-up response does not send the code',
  ],
  [
    'a response of another issuer is accepted',
    `${ACCOUNTS}/authorization-flow/redirect-uri.test.ts`,
    'a response of another issuer is rejected',
  ],
  [
    'stored keys are sent to a changed host',
    `${ACCOUNTS}/changed-hosts.test.ts`,
    'a stored key is not sent to another host',
  ],
  [
    'an import again changes the host',
    'src/features/toolkits',
    'stored credentials go to other hosts only with a confirmation',
  ],
  [
    'a project uses up the limit of its organization',
    'src/platform/http/middleware/rate-limit.test.ts',
    'a project cannot use up the limit',
  ],
  ['a forged X-Forwarded-For counts', SYSTEM, 'counts only from a trusted proxy'],
  ['slow requests close the webhook ingress', INGRESS, 'attack: slow requests'],
  ['an agent approves its own call', RECEIVERS, 'attack: an agent receives no link'],
  [
    'visits close the sign-in of MCP clients',
    `${FEATURES}/mcp-authorization/limits.test.ts`,
    'a thousand visits of one network',
  ],
  [
    'uploads exceed the quota',
    `${FEATURES}/files/upload-slots.test.ts`,
    'parallel uploads do not exceed the quota',
  ],
  [
    'a key without tool_execution executes tools',
    `${FEATURES}/mcp-servers/endpoint/permissions.test.ts`,
    'a key without tool_execution',
  ],
  [
    'a dump of the database has credentials',
    `${ACCOUNTS}/secrets.test.ts`,
    'no table of the database has a secret',
  ],
  ['a deleted project receives webhooks', INGRESS, 'attack: a deleted project receives no deliveries'],
  [
    'a deleted project keeps grants and data',
    `${FEATURES}/projects/deletion/erase-project.test.ts`,
    'a deleted project is revoked at the providers',
  ],
  [
    'a key of the organization gives itself more',
    `${FEATURES}/projects/api-keys/lifetime.test.ts`,
    'a restricted key does what its areas allow',
  ],
  [
    'replicas multiply attempts to sign in',
    'src/platform/http/middleware/attempt-limit.test.ts',
    'replicas count together',
  ],
  [
    'a sibling domain plants a cookie',
    `${ACCOUNTS}/authorization-flow/callback-browser.test.ts`,
    'has the prefix __Host-',
  ],
  ['a stranger reads /metrics', SYSTEM, 'is for this machine only'],
  ['a keys file of another user is used', 'src/cli/api-client/keys-file.test.ts', 'a file of another user'],
  [
    'a refresh token is used several times',
    `${FEATURES}/mcp-authorization/limits.test.ts`,
    'used four times within a minute',
  ],
  [
    'a statement forgets its project',
    'test/security/row-level-security.test.ts',
    'attack: a statement without its project',
  ],
  [
    'an agent in a loop uses up what a project pays for',
    `${FEATURES}/budgets/budgets.test.ts`,
    'concurrent calls never exceed a budget',
  ],
  [
    'an export of a user has credentials or data of others',
    `${FEATURES}/users/users.test.ts`,
    'an export has everything about one user',
  ],
  [
    'a link of a manifest runs a script',
    `${ACCOUNTS}/pages/templates/layout.test.ts`,
    'a link only with http or https',
  ],
]

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** The tests of a file, or of all files below a folder. */
function testsOf(path: string): string {
  if (path.endsWith('.test.ts')) return existsSync(join(ROOT, path)) ? textOf(path) : ''
  return globSync(`${path}/**/*.test.ts`, { cwd: ROOT }).map(textOf).join('\n')
}

test('security: each attack of the review has a test', () => {
  for (const [attack, path, title] of ATTACKS)
    assert.ok(testsOf(path).includes(title), `"${attack}": no test "${title}" in ${path}`)
})
