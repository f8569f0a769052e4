import { authSchemes, GrantRejected, ProviderTrouble, type Values } from '../../auth-schemes/index.ts'
import { compiledSchemeOf, type Toolkit } from '../../catalog/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { type AuthConfigRow, fieldFaults, findAuthConfig } from '../auth-configs/index.ts'
import { advance } from './arrival.ts'
import type { Browser } from './browser-cookie.ts'
import type { AccountDeps } from './deps.ts'
import { recorded, renewalKind } from './exchanges.ts'
import { type Flow, prepareFlow } from './flow.ts'
import { insert as insertFlow } from './flow-store.ts'
import { refuseChosenHosts, storedForm, withoutSession } from './given-val.ts'
import type { Identity } from './identity.ts'
import type { OpenLink } from './link.ts'
import { setupOf, valContext } from './open.ts'
import { EXPIRED_LINK, type Outcome } from './outcome.ts'
import { faultWords } from './pages/field-words.ts'
import { probe, proofOf } from './probe.ts'
import { walkAgain } from './reauthentication.ts'
import { type AccountRow, move } from './store.ts'
import { ledOn, onward, toolkitOf } from './walk-pages.ts'

const VALUE_MAX = 20_000

/** What the user has to mend before it can go on: of fields by name, and of the whole. */
export interface Trouble {
  fields: Readonly<Record<string, string>>
  form?: string
  entered: Readonly<Record<string, string>>
}

/** The user sent the form: on to the provider, or connected, or what is wrong with it. */
export async function submitLink(
  deps: AccountDeps,
  link: OpenLink,
  browser: Browser,
  form: Readonly<Record<string, string>>,
): Promise<Outcome | Trouble> {
  const { row, setup, asked } = link
  const config = await findAuthConfig(deps.db, link.projectId, row.auth_config_id)
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const module = authSchemes[setup.scheme.mode as AuthSchemeName]
  if (!config || !toolkit || !module || !compiledSchemeOf(toolkit, setup.scheme.mode)) return EXPIRED_LINK
  const entered = Object.fromEntries(
    asked.map(({ name, type }) => [
      name,
      type === 'boolean' ? String(form[name] === 'true') : (form[name] ?? '').trim(),
    ]),
  )
  const tooLong = asked.find(
    ({ name }) =>
      (entered[name] as string).length > VALUE_MAX ||
      !(entered[name] as string).isWellFormed() ||
      (entered[name] as string).includes('\0'),
  )
  if (tooLong)
    return {
      entered: {},
      fields: { [tooLong.name]: `${tooLong.display_name} is not a text that can be stored. Copy it again.` },
    }
  const { val, faults } = judge(link, entered)
  if (Object.keys(faults).length) return { entered, fields: faults }
  refuseChosenHosts(setup.scheme, config, Object.fromEntries(asked.map(({ name }) => [name, val[name]])))
  try {
    return module.redirects
      ? await toProvider(deps, link, config, browser, val)
      : await connect(deps, link, config, toolkit, browser, val)
  } catch (error) {
    const text =
      error instanceof ApiError || error instanceof GrantRejected || error instanceof ProviderTrouble
        ? error.message
        : undefined
    if (
      text === undefined ||
      (error instanceof ApiError && error.status >= 500 && error.slug.startsWith('HTTP_'))
    )
      throw error
    return { entered, fields: {}, form: text }
  }
}

function judge(
  { walk, setup, val, shared, asked }: OpenLink,
  entered: Readonly<Record<string, string>>,
): { val: Values; faults: Record<string, string> } {
  const typed = asked.map(
    ({ name, type }) =>
      [
        name,
        entered[name] === ''
          ? null
          : type === 'boolean'
            ? entered[name] === 'true'
            : type === 'number'
              ? Number(entered[name])
              : entered[name],
      ] as const,
  )
  const notNumbers = typed.filter(([, value]) => Number.isNaN(value)).map(([name]) => name)
  const redirects = authSchemes[setup.scheme.mode as AuthSchemeName]?.redirects
  const known = walk === 'reconnect' && !redirects ? withoutSession(val) : val
  const judged = storedForm(setup.scheme, { ...known, ...Object.fromEntries(typed) }, shared)
  const faults = Object.fromEntries(
    fieldFaults(setup.scheme, 'connected_account_initiation', { ...shared, ...judged }).map((fault) => [
      fault.field.name,
      faultWords(fault),
    ]),
  )
  for (const name of notNumbers) faults[name] = 'Enter a number.'
  return { val: judged, faults }
}

/** A walk that this browser begins here; the page leads on to it. */
async function toProvider(
  deps: AccountDeps,
  link: OpenLink,
  config: AuthConfigRow,
  browser: Browser,
  val: Values,
): Promise<Outcome> {
  const { projectId, walk, row, setup, asked } = link
  const flow =
    walk === 'connect'
      ? await firstWalk(deps, link, config, browser, val)
      : await walkAgain(deps, projectId, row, config, setup, {
          val,
          entered: Object.fromEntries(asked.map(({ name }) => [name, val[name]])),
          browserHash: browser.hash,
        })
  if (!flow) return EXPIRED_LINK
  return toTheProvider(deps, projectId, toolkitOf(deps, row), flow.authorizeUrl)
}

/** The page between a form and the provider. */
export function toTheProvider(
  deps: AccountDeps,
  projectId: string,
  toolkit: { slug: string; name: string },
  url: string,
): Promise<Outcome> {
  return onward(deps, projectId, {
    title: `Taking you to ${toolkit.name}`,
    text: `Sign in there and allow the access. ${toolkit.name} then sends you back.`,
    url,
    label: `Continue to ${toolkit.name}`,
    toolkit,
  })
}

async function firstWalk(
  deps: AccountDeps,
  { projectId, row }: OpenLink,
  config: AuthConfigRow,
  browser: Browser,
  val: Values,
): Promise<Flow | undefined> {
  const flow = await prepareFlow(deps, {
    projectId,
    accountId: row.id,
    config,
    val,
    scopes: row.requested_scopes,
    userScopes: row.requested_user_scopes,
  })
  const sent = await deps.db.begin(async (tx) => {
    await insertFlow(tx, { ...flow.row, browser_hash: browser.hash })
    return move(tx, projectId, row.id, 'send', {
      val: deps.encryptor.encrypt({ ...val, ...flow.val }, valContext(row.id)),
    })
  })
  return sent ? flow : undefined
}

/** Credentials that the application accepts, where it can be asked, are on their way into the account. */
async function connect(
  deps: AccountDeps,
  { projectId, walk, row }: OpenLink,
  config: AuthConfigRow,
  toolkit: Toolkit,
  browser: Browser,
  val: Values,
): Promise<Outcome> {
  const { val: tried, expiresAt, identity } = await tryOut(deps, projectId, row, config, val)
  const way = {
    projectId,
    row,
    toolkit,
    setupWith: (whole: Values) => setupOf(deps, config, () => whole),
    browserHash: browser.hash,
    identity,
  }
  return ledOn(
    deps,
    projectId,
    row,
    await advance(deps, way, {
      kind: walk,
      isWhole: true,
      val: tried,
      expiresAt,
      scopes: null,
      step: 0,
      isWalk: false,
    }),
    'form',
    browser,
  )
}

/** Signs in where the scheme has to before the first request, then makes the harmless request that the toolkit declares. @throws what the user is told */
async function tryOut(
  deps: AccountDeps,
  projectId: string,
  row: AccountRow,
  config: AuthConfigRow,
  val: Values,
): Promise<{ val: Values; expiresAt: number | null; identity: Identity | undefined }> {
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const setup = setupOf(deps, config, () => val)
  const module = setup && authSchemes[setup.scheme.mode as AuthSchemeName]
  const renew = setup && module?.renewable?.(setup) && module.isEmpty?.(setup) ? module.renew : undefined
  const signedIn =
    setup &&
    renew &&
    (await recorded(deps, { projectId, accountId: row.id, kind: renewalKind(setup), setup }, (tools) =>
      renew(setup, tools),
    ))
  const tried = { ...val, ...signedIn?.val }
  // The first of the steps after connecting proves them as well, and the proof may need what it brings.
  const identity =
    toolkit && setup && !setup.scheme.manifest.post_connect && proofOf(toolkit, setup)
      ? await probe(deps, { projectId, accountId: row.id, toolkit, config, val: tried })
      : undefined
  return { val: tried, expiresAt: signedIn?.expiresAt ?? null, identity }
}
