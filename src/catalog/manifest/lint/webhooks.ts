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

/**
 * What a schema cannot say of a webhook, which is one as `mergedWebhook` answers it. `supplied` are the names
 * that every way to connect gives.
 */
export function checkWebhook(
  webhook: TriggerWebhookManifest,
  supplied: ReadonlySet<string>,
  path: string,
  report: DiagnosticReporter,
): void {
  checkScope(webhook, path, report)
  const { scope = 'instance', verify, registration, account, setup = [], handshake = [] } = webhook
  const known = new Set([
    ...supplied,
    ...CLIENT_NAMES,
    ...(scope === 'app' ? [] : registrationNames(webhook)),
    ...setup.map(({ name }) => name),
    ...handshake.flatMap(({ save = {} }) => Object.keys(save)),
  ])
  if (verify) checkVerify(verify, known, `${path}/verify`, report)
  checkHandshake(handshake, path, report)
  if (registration) checkRegistration(registration, `${path}/registration`, report)
  if (account) requirePlaceholder(account.equals, `${path}/account/equals`, report)
}

/** Checks what a webhook of one instance has, and what one of a whole app has. */
function checkScope(webhook: TriggerWebhookManifest, path: string, report: DiagnosticReporter): void {
  const { scope = 'instance', verify, registration, account, setup, only_when } = webhook
  const isApp = scope === 'app'
  const rules = [
    [!verify, '', 'has no `verify`. Declare how a delivery proves that the application sent it.'],
    [isApp && !only_when, '', 'has no `only_when`. Declare it: all trigger types of the app share one URL.'],
    [
      isApp && !account,
      '',
      'has no `account`. Declare whose event it is: one URL receives the events of all accounts.',
    ],
    [
      isApp && registration,
      '/registration',
      'is only for `scope: instance`: the URL of an app is entered by hand.',
    ],
    [
      !isApp && !registration,
      '',
      'has no `registration`. Declare it: each instance registers its own URL at the application.',
    ],
    [!isApp && account, '/account', 'is only for `scope: app`: the URL of an instance has one account.'],
    [!isApp && setup, '/setup', 'is only for `scope: app`.'],
    [
      isApp && verify?.kind === 'address',
      '/verify',
      '`address` is only for `scope: instance`: the URL of an app is not secret.',
    ],
  ] as const
  for (const [isViolated, place, reason] of rules) if (isViolated) report.add(`${path}${place}`, reason)
}

function checkHandshake(
  handshake: NonNullable<TriggerWebhookManifest['handshake']>,
  path: string,
  report: DiagnosticReporter,
): void {
  for (const [index, { expect = {}, save, verified }] of handshake.entries()) {
    const at = `${path}/handshake${pointerSegment(index)}`
    for (const [name, template] of Object.entries(expect))
      checkExpectation(name, template, `${at}/expect${pointerSegment(name)}`, report)
    if (save && verified)
      report.add(
        `${at}/save`,
        'must not be used with `verified`: the saved value is what verifies the delivery.',
      )
  }
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
          'must be the same for all triggers of the app. Write it once, in `webhook` next to `triggers`.',
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
      report.add(`${path}/message`, 'does not sign the body. Write `{body}` into it.')
    if (verify.timestamp && !verify.timestamp.at.startsWith('body') && !names.includes('timestamp'))
      report.add(
        `${path}/timestamp`,
        'is not signed, so anybody could change it. Write `{timestamp}` into `message`.',
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
        report.add(`${path}/message`, `\`{${name}}\` is not one of ${known.join(', ')}.`)
  }
  const { key, equals } = verify as { key?: string; equals?: string }
  for (const [place, template] of Object.entries({ key, equals })) {
    for (const name of template === undefined ? [] : namesOrReport(template, `${path}/${place}`, report))
      if (!supplied.has(name)) report.add(`${path}/${place}`, `\`${name}\` is not a value of this scope.`)
  }
  if (verify.kind === 'token') requirePlaceholder(verify.equals, `${path}/equals`, report)
  if (verify.kind === 'jwt') {
    const symmetric = verify.algorithms.filter((name) => name.startsWith('HS')).length
    if (symmetric !== 0 && symmetric !== verify.algorithms.length)
      report.add(
        `${path}/algorithms`,
        'must not mix shared secrets (HS…) and public keys: a public key could be used as a secret.',
      )
    if (symmetric > 0 !== (verify.key !== undefined) || (symmetric === 0) !== (verify.jwks_url !== undefined))
      report.add(path, 'needs `key` for HS… algorithms or `jwks_url` for the others, and not both.')
    if (verify.key !== undefined) requirePlaceholder(verify.key, `${path}/key`, report)
    if (symmetric === 0 && verify.audience === undefined && verify.claims === undefined)
      report.add(path, 'needs `audience` or `claims`: tokens for other receivers have the same keys.')
  }
}

function checkRegistration(
  { expires, renew, save, remove }: RegistrationManifest,
  path: string,
  report: DiagnosticReporter,
): void {
  if (renew && !expires) report.add(`${path}/renew`, 'needs `expires`, which sets when to renew.')
  if (!remove) report.add(path, 'has no `remove`. Declare it, or the application will call a deleted URL.')
  for (const name of Object.keys(save ?? {}))
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      report.add(
        `${path}/save${pointerSegment(name)}`,
        'must be a name that templates can use: letters, digits and `_`.',
      )
}

/** A text without a name is the same for everybody, and one with a default may be. */
function requirePlaceholder(template: string, path: string, report: DiagnosticReporter): void {
  try {
    if (compileTemplate(template).required.length === 0)
      report.add(path, 'must contain a `{name}` without a default: a constant is the same for every account.')
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
