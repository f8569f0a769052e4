import {
  compileTemplate,
  type DerivedTokenManifest,
  type OAuth2Manifest,
  renderAddress,
  type StepManifest,
} from '../../catalog/index.ts'
import { type ExchangeNote, noteOfNothing } from '../exchange-note.ts'
import { built, encodeBody, type ProviderRequest, request } from '../provider-request.ts'
import {
  type Grant,
  GrantRejected,
  lookupOf,
  ProviderTrouble,
  type SchemeTools,
  type ConnectionContext,
  type Values,
} from '../scheme.ts'
import { fillTexts } from '../texts.ts'
import { manifestOf } from './index.ts'
import { introspectedEnd } from './introspect.ts'
import { readGrant, readStep } from './token-reply.ts'
import { type Exchange, requestToken } from './token-request.ts'

/** When a token that was not to be had because of trouble is asked for again. */
const TRY_AGAIN_MS = 300_000

/**
 * What has to be said with the provider after the token request, as the manifest says: steps, then introspection, then tokens for other audiences.
 * Whatever happens here, a refresh token that was handed out before is handed to `tools.keep` first. @throws GrantRefused, ProviderTrouble
 */
export async function followUp(
  setup: ConnectionContext,
  exchange: Exchange,
  first: Grant,
  tools: SchemeTools,
): Promise<Grant> {
  const manifest = manifestOf(setup)
  const steps = stepsAfter(manifest, exchange)
  const { introspect } = manifest.token
  const derived = manifest.derived_tokens ?? []
  if (!steps.length && !introspect && !derived.length) return first
  const noted: SchemeTools = { ...tools, note: (note) => tools.note?.({ ...note, followUp: true }) }
  const secure = securing(setup, tools)
  let grant = first
  for (const [index, step] of steps.entries()) {
    await secure(grant)
    grant = afterStep(grant, await takeStep(withVal(setup, grant.val), step, `step ${index + 1}`, noted))
  }
  if (introspect && grant.val['expires_in'] === undefined) {
    await secure(grant)
    const { value } = await tried(noted, (own) => introspectedEnd(withVal(setup, grant.val), introspect, own))
    if (value === 'inactive')
      throw new ProviderTrouble('The provider says that the token that it has just given is not active.')
    if (value) grant = { ...grant, expiresAt: value.end ?? grant.expiresAt }
  }
  for (const one of derived) {
    await secure(grant)
    grant = await withDerived(setup, grant, one, noted)
  }
  return withLifetime(grant, tools.now())
}

/** A client that asks anew makes a new connection, so what follows the first token request follows this one too. */
function stepsAfter({ token, refresh }: OAuth2Manifest, { kind }: Exchange): readonly StepManifest[] {
  return (
    (kind === 'code' ? undefined : refresh?.steps) ?? (kind === 'refresh' ? undefined : token.steps) ?? []
  )
}

const withVal = (setup: ConnectionContext, val: Values): ConnectionContext => ({
  ...setup,
  val: { ...setup.val, ...val },
})

/** A provider that rotates has ended the old refresh token: neither a failure nor a kill of this process may cost the new one. */
function securing(setup: ConnectionContext, tools: SchemeTools): (grant: Grant) => Promise<void> {
  let safe = setup.val['refresh_token']
  return async ({ val: { refresh_token: token } }) => {
    if (token === undefined || token === safe) return
    await tools.keep?.({ refresh_token: token })
    safe = token
  }
}

async function takeStep(
  setup: ConnectionContext,
  step: StepManifest,
  place: string,
  tools: SchemeTools,
): Promise<Grant> {
  return readStep(
    setup,
    step,
    place,
    await request(
      tools,
      setup.proxy,
      built(() => stepRequest(setup, step)),
    ),
  )
}

function stepRequest(
  setup: ConnectionContext,
  { url, method = 'POST', body: place = 'form', ...step }: StepManifest,
): ProviderRequest {
  const lookup = lookupOf(setup)
  const address = renderAddress(compileTemplate(url), lookup)
  const params = fillTexts(step.params, lookup)
  const headers = Object.fromEntries(
    Object.entries(fillTexts(step.headers, lookup)).map(([name, value]) => [name.toLowerCase(), value]),
  )
  if (!Object.keys(params).length) return { method, url: address, headers }
  if (method === 'GET' || place === 'query')
    return {
      method,
      url: `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(params)}`,
      headers,
    }
  const body = encodeBody(place, params)
  return { method, url: address, headers: { ...body.headers, ...headers }, body: body.body }
}

/** A new access token has an end of its own; what comes beside it, a session, may end before it. */
function afterStep({ val: { expires_in: told, ...val }, expiresAt }: Grant, step: Grant): Grant {
  if (step.val['access_token'] !== undefined)
    return { val: { ...val, ...step.val }, expiresAt: step.expiresAt }
  return {
    val: { ...val, ...(told === undefined ? {} : { expires_in: told }), ...step.val },
    expiresAt: earlier(expiresAt, step.expiresAt),
  }
}

/** One that cannot be had leaves the connection as it is without it: the old one ends with the others. */
async function withDerived(
  setup: ConnectionContext,
  grant: Grant,
  one: DerivedTokenManifest,
  tools: SchemeTools,
): Promise<Grant> {
  const at = withVal(setup, grant.val)
  const { value, error } = await tried(tools, async (own) => {
    const token = at.val['refresh_token']
    if (typeof token !== 'string' || !token)
      throw new GrantRejected('no_refresh_token', `There is no refresh token to get ${one.name} with.`)
    return readGrant(at, await requestToken(at, { kind: 'refresh', token, derived: one }, own))
  })
  if (!value)
    return {
      val: { ...grant.val, [one.name]: null },
      expiresAt:
        error instanceof ProviderTrouble
          ? earlier(grant.expiresAt, tools.now() + TRY_AGAIN_MS)
          : grant.expiresAt,
    }
  const { access_token: token, refresh_token: rotated } = value.val
  return {
    val: { ...grant.val, [one.name]: token, ...(rotated === undefined ? {} : { refresh_token: rotated }) },
    expiresAt: earlier(grant.expiresAt, value.expiresAt),
  }
}

const earlier = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b))

/** The end may be that of another token than the one that `expires_in` speaks of; the margin is measured by it. */
const withLifetime = ({ val, expiresAt }: Grant, now: number): Grant => ({
  val: {
    ...val,
    lifetime_seconds: expiresAt === null ? null : Math.max(1, Math.round((expiresAt - now) / 1_000)),
  },
  expiresAt,
})

type Failure = GrantRejected | ProviderTrouble

/** A piece of work whose failure costs only itself; it is written down with the exchange in which it came to light. */
async function tried<T>(
  tools: SchemeTools,
  work: (tools: SchemeTools) => Promise<T>,
): Promise<{ value?: T; error?: Failure }> {
  const notes: ExchangeNote[] = []
  const tell = (error?: Failure) => {
    if (error && !notes.length) notes.push(noteOfNothing(error.message))
    for (const [index, note] of notes.entries())
      tools.note?.(error && index === notes.length - 1 ? { ...note, failed: error } : note)
  }
  try {
    const value = await work({
      ...tools,
      note: (note) => {
        notes.push(note)
      },
    })
    tell()
    return { value }
  } catch (error) {
    if (!(error instanceof GrantRejected || error instanceof ProviderTrouble)) throw error
    tell(error)
    return { error }
  }
}
