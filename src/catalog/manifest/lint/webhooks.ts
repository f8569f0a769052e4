import { isDeepStrictEqual } from 'node:util'
import type {
  RegistrationManifest,
  TriggerManifest,
  TriggerWebhookManifest,
  VerifyManifest,
} from '../format/index.ts'
import { pointerSegment, type DiagnosticReporter } from '../diagnostics.ts'
import { compilePath } from '../compile/template/paths.ts'
import { compileTemplate } from '../compile/template/templates.ts'
import { registrationNames } from '../compile/triggers/webhook.ts'

/** What a schema cannot say of a webhook, which is one as `mergedWebhook` answers it. `supplied` are the names that every way to connect gives. */
export function checkWebhook(
  webhook: TriggerWebhookManifest,
  supplied: ReadonlySet<string>,
  path: string,
  report: DiagnosticReporter,
): void {
  const { scope = 'instance', verify, registration, account, setup, only_when } = webhook
  const isApp = scope === 'app'
  for (const [wrong, where, reason] of [
    [!verify, '', 'has no `verify`: nothing would prove that a delivery is the application’s.'],
    [isApp && !only_when, '', 'has no `only_when`: all trigger types of the app share its address.'],
    [isApp && !account, '', 'has no `account`: an address for all accounts has to say whose event it is.'],
    [
      isApp && registration,
      '/registration',
      'belongs to `scope: instance`: the address of an app is entered by hand.',
    ],
    [
      !isApp && !registration,
      '',
      'has no `registration`: every instance has an address that the application has to be told.',
    ],
    [!isApp && account, '/account', 'belongs to `scope: app`: the address of an instance has one account.'],
    [!isApp && setup, '/setup', 'belongs to `scope: app`.'],
    [
      isApp && verify?.kind === 'address',
      '/verify',
      'proves nothing where the address is known to many: `address` belongs to `scope: instance`.',
    ],
  ] as const)
    if (wrong) report.add(`${path}${where}`, reason)
  if (verify)
    checkVerify(
      verify,
      new Set([
        ...supplied,
        ...CLIENT_NAMES,
        ...(isApp ? [] : registrationNames(webhook)),
        ...(setup ?? []).map(({ name }) => name),
        ...(webhook.handshake ?? []).flatMap(({ save = {} }) => Object.keys(save)),
      ]),
      `${path}/verify`,
      report,
    )
  for (const [index, { expect = {}, save, verified }] of (webhook.handshake ?? []).entries()) {
    const at = `${path}/handshake${pointerSegment(index)}`
    for (const [name, template] of Object.entries(expect))
      checkExpectation(name, template, `${at}/expect${pointerSegment(name)}`, report)
    if (save && verified)
      report.add(`${at}/save`, 'what proves deliveries cannot come with a delivery that is proven by it.')
  }
  if (registration) checkRegistration(registration, `${path}/registration`, report)
  if (account) requirePlaceholder(account.equals, `${path}/account/equals`, report)
}

/** An address for a whole app is one: whatever comes to it is proven and answered in one way. */
export function checkAppWebhooks(triggers: readonly TriggerManifest[], report: DiagnosticReporter): void {
  const [first, ...others] = triggers
    .map(({ webhook }, index) => ({ webhook, index }))
    .filter(({ webhook }) => webhook?.scope === 'app')
  for (const { webhook, index } of others) {
    for (const name of ['setup', 'verify', 'handshake'] as const) {
      if (!isDeepStrictEqual(webhook?.[name], first!.webhook?.[name]))
        report.add(
          `/triggers${pointerSegment(index)}/webhook/${name}`,
          'must be that of the other triggers of the app: write it once, in `webhook` beside `triggers`.',
        )
    }
  }
}

/** Of the auth config. */
const CLIENT_NAMES = ['client_id', 'client_secret']

function checkVerify(
  verify: VerifyManifest,
  supplied: ReadonlySet<string>,
  path: string,
  report: DiagnosticReporter,
): void {
  if (verify.kind === 'hmac' || verify.kind === 'public_key') {
    requirePlaceholder(verify.key, `${path}/key`, report)
    const names = namesOrReport(verify.message ?? '{body}', `${path}/message`, report)
    if (
      !names.includes('body') &&
      !names.includes('sorted_form') &&
      verify.message !== undefined &&
      !Object.values(verify.values ?? {}).some((at) => at.startsWith('body'))
    )
      report.add(`${path}/message`, 'signs nothing of the body: write `{body}` into it.')
    if (verify.timestamp && !verify.timestamp.at.startsWith('body') && !names.includes('timestamp'))
      report.add(
        `${path}/timestamp`,
        'is not signed: write `{timestamp}` into `message`, or anybody could change it.',
      )
    const known = [
      'body',
      'method',
      'url',
      'path',
      'sorted_form',
      ...(verify.timestamp ? ['timestamp'] : []),
      ...Object.keys(verify.values ?? {}),
    ]
    for (const name of names)
      if (!known.includes(name))
        report.add(`${path}/message`, `\`{${name}}\` is none of ${known.join(', ')}.`)
  }
  const { key, equals } = verify as { key?: string; equals?: string }
  for (const [place, template] of Object.entries({ key, equals })) {
    for (const name of template === undefined ? [] : namesOrReport(template, `${path}/${place}`, report))
      if (!supplied.has(name))
        report.add(`${path}/${place}`, `\`${name}\` is nothing that an address of this scope has.`)
  }
  if (verify.kind === 'token') requirePlaceholder(verify.equals, `${path}/equals`, report)
  if (verify.kind === 'jwt') {
    const symmetric = verify.algorithms.filter((name) => name.startsWith('HS')).length
    if (symmetric !== 0 && symmetric !== verify.algorithms.length)
      report.add(
        `${path}/algorithms`,
        'mixes shared secrets and public keys: a public key would be taken for a secret.',
      )
    if (symmetric > 0 !== (verify.key !== undefined) || (symmetric === 0) !== (verify.jwks_url !== undefined))
      report.add(path, 'needs `key` for HS… algorithms, `jwks_url` for the others, and not both.')
    if (verify.key !== undefined) requirePlaceholder(verify.key, `${path}/key`, report)
    if (symmetric === 0 && verify.audience === undefined && verify.claims === undefined)
      report.add(path, 'needs `audience` or `claims`: others get tokens with the same keys.')
  }
}

function checkRegistration(
  { expires, renew, save, remove }: RegistrationManifest,
  path: string,
  report: DiagnosticReporter,
): void {
  if (renew && !expires) report.add(`${path}/renew`, 'needs `expires`: nobody would know when.')
  if (!remove)
    report.add(path, 'has no `remove`: the application would call an address that is gone, for ever.')
  for (const name of Object.keys(save ?? {}))
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      report.add(`${path}/save${pointerSegment(name)}`, 'is no name that a template could use.')
}

/** A text without a name is the same for everybody, and one with a default may be. */
function requirePlaceholder(template: string, path: string, report: DiagnosticReporter): void {
  try {
    if (compileTemplate(template).required.length === 0)
      report.add(
        path,
        'must hold a `{name}` without a default: nothing else is a secret, or tells accounts apart.',
      )
  } catch (error) {
    report.add(path, (error as Error).message)
  }
}

function namesOrReport(template: string, path: string, report: DiagnosticReporter): readonly string[] {
  try {
    return compileTemplate(template).names
  } catch (error) {
    report.add(path, (error as Error).message)
    return []
  }
}

function checkExpectation(at: string, template: string, path: string, report: DiagnosticReporter): void {
  try {
    compilePath(at)
  } catch (error) {
    report.add(path, (error as Error).message)
  }
  requirePlaceholder(template, path, report)
}
