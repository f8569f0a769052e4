import {
  GrantRejected,
  credentialLookup,
  ProviderUnavailable,
  type SchemeDeps,
  type ConnectionContext,
  type Credentials,
} from '../../auth-schemes/index.ts'
import {
  compilePath,
  type PostConnectManifest,
  type Template,
  valueToText,
  type Toolkit,
} from '../../catalog/index.ts'
import { sendProbeRequest } from './probe-request.ts'

/** What a page can show; of longer lists the value has to come with the connection. */
const CHOICES_MAX = 200
const NAMED_MAX = 10
const VALUE_MAX = 2_000
const LABEL_MAX = 200

/** One of several sites, tenants or accounts, and what of it is saved. */
export interface PostConnectChoice {
  value: string
  label: string
  save: Credentials
}

/** `choose`: step `step` has several, and only the user knows which. `val` is what the steps before it saved. */
export type PostConnectOutcome =
  | { kind: 'done'; val: Credentials }
  | { kind: 'choose'; val: Credentials; step: number; what: string; choices: readonly PostConnectChoice[] }

/**
 * The steps that the manifest wants after a connection was made, from the one numbered `from` on. A value that the connection names already decides among
 * what is offered. @throws GrantRejected, ProviderUnavailable, ApiError, ToolFailure
 */
export async function runPostConnectSteps(
  tools: SchemeDeps,
  toolkit: Toolkit,
  setup: ConnectionContext,
  from = 0,
): Promise<PostConnectOutcome> {
  const steps = setup.scheme.manifest.post_connect ?? []
  let val: Credentials = {}
  for (let step = from; step < steps.length; step++) {
    const one = steps[step] as PostConnectManifest
    const pending = new Set(steps.slice(step).flatMap(({ save }) => Object.keys(save)))
    const here = withScheme(setup, setup.scheme, val)
    const choices = await offered(tools, toolkit, bare(here, pending), one)
    const chosen = pick(toolkit, here, one, choices)
    if (!chosen)
      return {
        kind: 'choose',
        val,
        step,
        what: one.what ?? 'account',
        choices: choices.slice(0, CHOICES_MAX),
      }
    val = { ...val, ...chosen.save }
  }
  return { kind: 'done', val }
}

/** What the application offers, for people: `Acme (t-1), Bell (t-2)`. */
export function describeChoices(choices: readonly PostConnectChoice[]): string {
  const named = choices
    .slice(0, NAMED_MAX)
    .map(({ label, value }) => (label === value ? value : `${label} (${value})`))
    .join(', ')
  return choices.length > NAMED_MAX ? `${named} and ${choices.length - NAMED_MAX} more` : named
}

async function offered(
  tools: SchemeDeps,
  toolkit: Toolkit,
  setup: ConnectionContext,
  { request, items = '$', value, label = value, what = 'account', save }: PostConnectManifest,
): Promise<PostConnectChoice[]> {
  // Without credentials that need what is only looked up here.
  const answered = await sendProbeRequest(
    tools,
    { ...toolkit, headers: usable(toolkit.headers, setup) },
    setup,
    request,
  )
  if (!answered.ok) {
    const text = `${toolkit.name} could not be asked for the ${what}: ${answered.message}`
    throw answered.refused
      ? new GrantRejected(`status_${answered.status}`, text)
      : new ProviderUnavailable(text)
  }
  const found = compilePath(items)(answered.body)
  const list = Array.isArray(found) ? found : found === undefined || found === null ? [] : [found]
  return distinct(
    list.flatMap((item): PostConnectChoice[] => {
      const id = scalar(value, item, VALUE_MAX)
      const saved = Object.entries(save).map(([name, path]) => [name, scalar(path, item, VALUE_MAX)] as const)
      return id === undefined || saved.some(([, one]) => one === undefined)
        ? []
        : [{ value: id, label: scalar(label, item, LABEL_MAX) ?? id, save: Object.fromEntries(saved) }]
    }),
  )
}

/** Some applications name a site once for each of their products. */
const distinct = (choices: readonly PostConnectChoice[]): PostConnectChoice[] => [
  ...new Map(choices.map((one) => [JSON.stringify(one.save), one])).values(),
]

/** Undefined: the user has to say. @throws GrantRejected when nothing fits */
function pick(
  { name }: Toolkit,
  { credentials: val }: ConnectionContext,
  { what = 'account', select, save }: PostConnectManifest,
  choices: readonly PostConnectChoice[],
): PostConnectChoice | undefined {
  if (!choices.length)
    throw new GrantRejected(
      'nothing_to_choose',
      `${name} names no ${what} that this connection could be for.`,
    )
  const given = Object.keys(save).filter(
    (one) => val[one] !== undefined && val[one] !== null && val[one] !== '',
  )
  const fitting = given.length
    ? choices.filter(({ save: saved }) => given.every((one) => String(saved[one]) === String(val[one])))
    : choices
  if (fitting.length === 1 || (fitting.length && select === 'first')) return fitting[0]
  if (select === 'ask') return undefined
  const wanted = given.map((one) => `${one} "${String(val[one]).slice(0, LABEL_MAX)}"`).join(', ')
  if (!fitting.length)
    throw new GrantRejected(
      'not_offered',
      `${name} does not offer the ${what} with ${wanted}. It offers: ${describeChoices(choices)}.`,
    )
  throw new GrantRejected(
    'several',
    `${name} offers several of what must be one ${what}: ${describeChoices(fitting)}. Name one in ${Object.keys(save).join(', ')} when connecting.`,
  )
}

function scalar(path: string, item: unknown, most: number): string | undefined {
  const value = compilePath(path)(item)
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = valueToText(value)
  return text && text.length <= VALUE_MAX && text.isWellFormed() && !text.includes('\0')
    ? text.slice(0, most)
    : undefined
}

/** The connection without what needs values that are still to be found. */
function bare(setup: ConnectionContext, pending: ReadonlySet<string>): ConnectionContext {
  const lookup = credentialLookup(setup)
  const ready = <T extends { value: Template }>(parts: readonly T[]) =>
    parts.filter(
      ({ value }) => !value.required.some((name) => pending.has(name) && lookup(name) === undefined),
    )
  const { scheme } = setup
  return withScheme(setup, {
    ...scheme,
    headers: ready(scheme.headers),
    query: ready(scheme.query),
    body: ready(scheme.body),
  })
}

const usable = (headers: Toolkit['headers'], setup: ConnectionContext): Toolkit['headers'] =>
  headers.filter(({ value }) => value.required.every((name) => credentialLookup(setup)(name) !== undefined))

/** Parts of a setup are opened when they are read, which a copy of it would do at once. */
function withScheme(
  setup: ConnectionContext,
  scheme: ConnectionContext['scheme'],
  more: Credentials = {},
): ConnectionContext {
  return {
    scheme,
    get credentials() {
      return { ...setup.credentials, ...more }
    },
    get sharedCredentials() {
      return setup.sharedCredentials
    },
    get authConfigCredentials() {
      return setup.authConfigCredentials
    },
    get redirectUri() {
      return setup.redirectUri
    },
    get proxy() {
      return setup.proxy
    },
  }
}
