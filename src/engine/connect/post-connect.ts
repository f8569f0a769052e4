import {
  type ConnectionContext,
  credentialLookup,
  type Credentials,
  GrantRejected,
  ProviderUnavailable,
  type SchemeDeps,
} from '../../auth-schemes/index.ts'
import {
  compilePath,
  type PostConnectManifest,
  type Template,
  type Toolkit,
  valueToText,
} from '../../catalog/index.ts'
import { sendProbeRequest } from './probe-request.ts'

/** A page shows at most this many choices. A value of a longer list must be sent with the connection. */
const CHOICES_MAX = 200
const CHOICES_IN_MESSAGE_MAX = 10
const VALUE_MAX = 2_000
const LABEL_MAX = 200

/** One of several sites, tenants or accounts, and the values of it that are saved. */
export interface PostConnectChoice {
  value: string
  label: string
  save: Credentials
}

/** `choose`: step `step` has several choices, and only the user can choose. `val`: saved by the steps before it. */
export type PostConnectOutcome =
  | { kind: 'done'; val: Credentials }
  | {
      kind: 'choose'
      val: Credentials
      step: number
      what: string
      choices: readonly PostConnectChoice[]
    }

/**
 * Runs the steps that the manifest requires after a connection is made, from number `from`. A value that the
 * connection already contains selects a choice. @throws GrantRejected, ProviderUnavailable, ApiError, ToolFailure
 */
export async function runPostConnectSteps(
  schemeDeps: SchemeDeps,
  toolkit: Toolkit,
  context: ConnectionContext,
  from = 0,
): Promise<PostConnectOutcome> {
  const steps = context.scheme.manifest.post_connect ?? []
  let saved: Credentials = {}
  for (const [step, manifest] of steps.entries()) {
    if (step < from) continue
    const missing = new Set(steps.slice(step).flatMap(({ save }) => Object.keys(save)))
    const current = withScheme(context, context.scheme, saved)
    const choices = await fetchChoices(schemeDeps, toolkit, withoutMissing(current, missing), manifest)
    const choice = chooseByCredentials(toolkit, current, manifest, choices)
    if (!choice) {
      const what = manifest.what ?? 'account'
      return { kind: 'choose', val: saved, step, what, choices: choices.slice(0, CHOICES_MAX) }
    }
    saved = { ...saved, ...choice.save }
  }
  return { kind: 'done', val: saved }
}

/** Returns the choices for people: `Acme (t-1), Bell (t-2)`. */
export function describeChoices(choices: readonly PostConnectChoice[]): string {
  const names = choices
    .slice(0, CHOICES_IN_MESSAGE_MAX)
    .map(({ label, value }) => (label === value ? value : `${label} (${value})`))
    .join(', ')
  const more = choices.length - CHOICES_IN_MESSAGE_MAX
  return more > 0 ? `${names} and ${more} more` : names
}

async function fetchChoices(
  schemeDeps: SchemeDeps,
  toolkit: Toolkit,
  context: ConnectionContext,
  manifest: PostConnectManifest,
): Promise<PostConnectChoice[]> {
  const { request, items = '$', what = 'account' } = manifest
  // Headers and credentials are left out if they need values that these steps look up.
  const ready = { ...toolkit, headers: usableHeaders(toolkit.headers, context) }
  const response = await sendProbeRequest(schemeDeps, ready, context, request)
  if (!response.ok) {
    const message = `${toolkit.name} did not return the ${what}: ${response.message}`
    throw response.refused
      ? new GrantRejected(`status_${response.status}`, message)
      : new ProviderUnavailable(message)
  }
  const selected = compilePath(items)(response.body)
  const list = Array.isArray(selected) ? selected : (selected ?? undefined) === undefined ? [] : [selected]
  return distinct(list.flatMap((item) => readChoice(manifest, item) ?? []))
}

function readChoice(
  { value, label = value, save }: PostConnectManifest,
  item: unknown,
): PostConnectChoice | undefined {
  const id = readText(value, item, VALUE_MAX)
  const saved = Object.entries(save).map(([name, path]) => [name, readText(path, item, VALUE_MAX)] as const)
  if (id === undefined || saved.some(([, text]) => text === undefined)) return undefined
  return { value: id, label: readText(label, item, LABEL_MAX) ?? id, save: Object.fromEntries(saved) }
}

/** Some applications list a site once for each of their products. */
const distinct = (choices: readonly PostConnectChoice[]): PostConnectChoice[] => [
  ...new Map(choices.map((choice) => [JSON.stringify(choice.save), choice])).values(),
]

/** Returns undefined if the user has to choose. @throws GrantRejected when no choice fits */
function chooseByCredentials(
  { name }: Toolkit,
  { credentials }: ConnectionContext,
  { what = 'account', select, save }: PostConnectManifest,
  choices: readonly PostConnectChoice[],
): PostConnectChoice | undefined {
  if (!choices.length) {
    throw new GrantRejected('nothing_to_choose', `${name} lists no ${what} for this connection.`)
  }
  const present = Object.keys(save).filter(
    (field) => credentials[field] !== undefined && credentials[field] !== null && credentials[field] !== '',
  )
  const fitting = choices.filter((choice) =>
    present.every((field) => String(choice.save[field]) === String(credentials[field])),
  )
  if (fitting.length === 1 || (fitting.length && select === 'first')) return fitting[0]
  if (select === 'ask') return undefined
  if (!fitting.length) {
    const values = present.map((field) => `${field} "${String(credentials[field]).slice(0, LABEL_MAX)}"`)
    throw new GrantRejected(
      'not_offered',
      `${name} does not offer the ${what} with ${values.join(', ')}. It offers: ${describeChoices(choices)}.`,
    )
  }
  const fields = Object.keys(save).join(', ')
  throw new GrantRejected(
    'several',
    `${name} has more than one ${what}: ${describeChoices(fitting)}. Set ${fields} in the connection.`,
  )
}

function readText(path: string, item: unknown, lengthMax: number): string | undefined {
  const value = compilePath(path)(item)
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = valueToText(value)
  return text && text.length <= VALUE_MAX && text.isWellFormed() && !text.includes('\0')
    ? text.slice(0, lengthMax)
    : undefined
}

/** Returns the connection without credentials that need values that are not known yet. */
function withoutMissing(context: ConnectionContext, missing: ReadonlySet<string>): ConnectionContext {
  const lookup = credentialLookup(context)
  const isReady = (name: string) => !missing.has(name) || lookup(name) !== undefined
  const readyParts = <T extends { value: Template }>(parts: readonly T[]) =>
    parts.filter(({ value }) => value.required.every(isReady))
  const { scheme } = context
  return withScheme(context, {
    ...scheme,
    headers: readyParts(scheme.headers),
    query: readyParts(scheme.query),
    body: readyParts(scheme.body),
  })
}

function usableHeaders(headers: Toolkit['headers'], context: ConnectionContext): Toolkit['headers'] {
  const lookup = credentialLookup(context)
  return headers.filter(({ value }) => value.required.every((name) => lookup(name) !== undefined))
}

/** Parts of a context are decrypted when they are read. A copy would decrypt all of them at once. */
function withScheme(
  context: ConnectionContext,
  scheme: ConnectionContext['scheme'],
  more: Credentials = {},
): ConnectionContext {
  return {
    scheme,
    get credentials() {
      return { ...context.credentials, ...more }
    },
    get sharedCredentials() {
      return context.sharedCredentials
    },
    get authConfigCredentials() {
      return context.authConfigCredentials
    },
    get redirectUri() {
      return context.redirectUri
    },
    get proxy() {
      return context.proxy
    },
  }
}
