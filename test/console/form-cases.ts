import type { Page } from 'playwright-core'
import { consoleApi, type ConsolePage } from '../fixtures/console-pages.ts'
import { click, fill, type FormCase } from './form-case.ts'
import { agentCases, changeCases, OPERATE_CASES, serverCases, TOOL_CASES } from './form-cases-work.ts'

/** Returns a case for every form. */
export async function formCases(
  page: Page,
  url: string,
  project: string,
  pages: readonly ConsolePage[],
): Promise<FormCase[]> {
  const pathOf = (route: string) => pages.find((one) => one.route === route)?.path ?? route
  const api = consoleApi(page, url, project)
  const ruleId = (await api('GET', '/alert_rules')).items[0].id as string
  const policyId = (await api('GET', '/policies')).items[0].id as string
  const server = pathOf('/mcp/:id')
  return [
    ...SETTINGS_CASES,
    ...PROFILE_CASES,
    ...agentCases(pathOf('/sessions/:id').slice('/sessions/'.length)),
    ...OPERATE_CASES,
    ...changeCases(api, { ruleId, policyId, server }),
    ...serverCases(server),
    ...TOOL_CASES,
    ...SIGN_IN_CASES,
  ]
}

const KEY = {
  id: 'key_1',
  name: 'agent',
  key: 'ak_1…',
  permissions: null,
  allowed_ips: [],
  created_at: '2026-01-01T00:00:00Z',
  last_used_at: null,
  expires_at: null,
  replaced_by: null,
}

const SETTINGS_CASES: readonly FormCase[] = [
  {
    name: 'settings of the project',
    file: 'pages/settings/project.tsx',
    path: '/settings/project',
    fill: fill({ 'Display name': 'Entered', 'Support URL': 'https://entered.example.com/' }),
    submit: 'Save changes',
    request: /^PATCH \/org\/project\/config /,
  },
  {
    name: 'invitation',
    file: 'pages/settings/members.tsx',
    path: '/settings/members',
    open: click('Invite a member'),
    fill: fill({ 'E-mail address': 'grace@example.com', Name: 'Grace' }),
    submit: 'Create invitation',
    request: /^POST \/org\/members\/invites /,
  },
  {
    name: 'new API key',
    file: 'pages/settings/keys-page.tsx',
    path: '/settings/api-keys',
    open: click('Create key'),
    fill: fill({ Name: 'entered' }),
    submit: 'Create key',
    request: /^POST \/org\/owner\/project\/[^/]+\/api_keys /,
  },
  {
    name: 'rotation of a key',
    file: 'pages/settings/api-key-dialogs.tsx',
    path: '/settings/organization-keys',
    open: click(/^Rotate /),
    fill: async (form) => {
      await form.getByRole('combobox').click()
      await form.page().getByRole('option', { name: 'One hour' }).click()
    },
    submit: 'Create new key',
    request: /^POST \S+\/rotate /,
    replies: {
      'GET /org/api_keys': { items: [KEY] },
    },
  },
  {
    name: 'identity provider of the organization',
    file: 'pages/settings/sso/provider-form.tsx',
    path: '/settings/sso',
    form: (page) => page.locator('.card', { hasText: 'Sign-in of members' }).locator('form'),
    fill: fill({ Issuer: 'https://login.example.com', 'Client ID': 'console', 'Client secret': 'secret' }),
    submit: 'Save',
    request: /^PUT \/org\/sso /,
  },
  {
    name: 'identity provider of the project',
    file: 'pages/settings/sso/provider-form.tsx',
    path: '/settings/sso',
    form: (page) => page.locator('.card', { hasText: 'Sign-in of users' }).locator('form'),
    fill: fill({ Issuer: 'https://login.example.com', 'Client ID': 'agents' }),
    submit: 'Save',
    request: /^PUT \/mcp\/authorization\/openid_provider /,
  },
  {
    name: 'freeze of accounts',
    file: 'pages/incidents/freeze-dialog.tsx',
    path: '/incidents',
    open: click('Freeze accounts'),
    fill: fill({ Application: 'github', Reason: 'A leak', 'Type freeze to confirm': 'freeze' }),
    submit: 'Freeze accounts',
    request: /^POST \/org\/incidents /,
  },
]

const MEMBER = { kind: 'member', name: 'Ada', email: 'ada@example.com' }

/** Everybody who is signed in may change the own profile. */
const PROFILE = { path: '/settings/profile', person: MEMBER, isForEveryRole: true }

const PROFILE_CASES: readonly FormCase[] = [
  {
    name: 'password',
    file: 'pages/settings/profile.tsx',
    ...PROFILE,
    fill: fill({ 'Current password': 'a former password', 'New password': 'a later password' }),
    submit: 'Change password',
    request: /^POST \/console\/auth\/password /,
  },
  {
    name: 'new passkey',
    file: 'pages/settings/passkeys.tsx',
    ...PROFILE,
    replies: { 'GET /console/auth/passkeys': { items: [] } },
    fill: fill({ 'Name of the passkey': 'Laptop' }),
    submit: 'Add a passkey',
    request: /^POST \/console\/auth\/passkeys\/options /,
  },
  {
    name: 'new second factor',
    file: 'pages/settings/second-factor.tsx',
    ...PROFILE,
    person: { ...MEMBER, has_second_factor: false },
    replies: { 'POST /console/auth/totp': { secret: 'ABC', url: 'otpauth://totp/Patchbay?secret=ABC' } },
    open: click('Set up an authenticator app'),
    fill: fill({ Code: '123456' }),
    submit: 'Turn on',
    request: /^POST \/console\/auth\/totp\/confirm /,
  },
  {
    name: 'end of the second factor',
    file: 'pages/settings/second-factor.tsx',
    ...PROFILE,
    person: { ...MEMBER, has_second_factor: true },
    fill: fill({ Password: 'a password', Code: '123456' }),
    submit: 'Turn off',
    request: /^POST \/console\/auth\/totp\/remove /,
  },
]

const SIGN_IN_CASES: readonly FormCase[] = [
  {
    name: 'set-up link',
    file: 'sign-in/setup-page.tsx',
    path: '/setup#t=token',
    isSignedOut: true,
    replies: { 'POST /console/auth/link': { kind: 'setup', email: null, name: null } },
    fill: fill({
      'Your name': 'Ada',
      'E-mail address': 'ada@example.com',
      'New password': 'a long password',
    }),
    submit: 'Create the owner',
    request: /^POST \/console\/auth\/setup /,
  },
  {
    name: 'sign-in with a password',
    file: 'sign-in/sign-in-form.tsx',
    path: '/home',
    isSignedOut: true,
    fill: fill({ 'E-mail address': 'ada@example.com', Password: 'a password' }),
    submit: 'Sign in',
    request: /^POST \/console\/auth\/login /,
  },
  {
    name: 'sign-in with a key',
    file: 'sign-in/sign-in-form.tsx',
    path: '/home',
    isSignedOut: true,
    open: (page) => page.getByRole('tab', { name: 'API key' }).click(),
    fill: fill({ 'API key': 'ak_entered' }),
    submit: 'Sign in',
    request: /^POST \/console\/auth\/key /,
  },
]
