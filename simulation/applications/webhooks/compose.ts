import type { JsonSchema, TriggerManifest } from '../../../src/catalog/index.ts'
import { filled } from '../filled.ts'
import type { TriggerNote } from '../notes.ts'
import { propertiesOf, typesOf } from '../read-arguments.ts'
import { read, written } from '../error-replies.ts'
import type { WireRequest } from '../wire.ts'
import { BEGINNING, hashOf, valueFor } from '../values.ts'
import { plain } from '../words.ts'
import { at, bodyText, type Draft, signed, texted, tokenOf, type Webhook } from './sign.ts'

/** What an event is made of. */
export interface Happening {
  readonly manifest: TriggerManifest
  readonly note: TriggerNote
  /** Configuration of the trigger instance that receives the webhook. */
  readonly config: Readonly<Record<string, unknown>>
  /** The URL that receives the webhook. */
  readonly url: string
  /** Secrets and what else the templates of proof and account name. */
  readonly values: Readonly<Record<string, unknown>>
  /** Members of the payload that are to be so. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The object that it is about, and what it was made with. */
  readonly about: Readonly<Record<string, unknown>>
  /** Counts events: each has identifiers of its own. */
  readonly number: number
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * The request with which an application reports an event: its manifest read backwards. What the payload needs
 * is taken from the object, and made up where that says nothing.
 */
export function deliveryOf(happening: Happening): WireRequest {
  const { manifest, values, now } = happening
  const webhook = manifest.webhook!
  let draft: Draft = {
    method: 'POST',
    url: happening.url,
    headers: { 'content-type': 'application/json' },
    query: {},
    body: {},
  }
  const events = webhook.events
  /** An event stands where the list of events does, or is the whole body. */
  const place = (path: string): string =>
    path === 'item' || path.startsWith('item.') || path.startsWith('item[')
      ? `${events === undefined ? 'body' : `${events}[0]`}${path.slice(4)}`
      : path
  const put = (path: string, value: unknown) => {
    draft = into(draft, place(path), value)
  }
  for (const [path, value] of valuesBy(happening)) put(path, value)
  const token = tokenOf(webhook, values)
  if (token) put(token.at, token.text)
  return wireOf(signed(webhook, draft, values, now))
}

/** A list can be the whole body: `body[0].id`. */
function into(draft: Draft, path: string, value: unknown): Draft {
  if (!path.startsWith('body[')) return at(draft, path, value)
  const list = written({ body: Array.isArray(draft.body) ? draft.body : [] }, path, value) as {
    body: unknown
  }
  return { ...draft, body: list.body }
}

/** Every path that the manifest reads, and what stands there: later ones count. */
function* valuesBy(happening: Happening): Iterable<[path: string, value: unknown]> {
  const {
    manifest: { slug, webhook, event = {}, payload },
    note,
    config,
    values,
    fields,
    about,
    number,
  } = happening
  const made = {
    type: slug.toLowerCase().split('_').slice(1).join(' '),
    number,
    now: BEGINNING,
    words: new Map<string, unknown>(),
    sparse: false,
  }
  const noted = filled(note.values ?? {}, config, about) as Record<string, unknown>
  const excluded = new Set((webhook!.skip_when ?? []).filter(({ exists }) => exists).map(({ path }) => path))
  for (const [name, path] of Object.entries(event)) {
    if (!path.startsWith('config') && !excluded.has(path))
      yield [
        path,
        fields[name] ??
          noted[name] ??
          (isOuter(path, Object.values(event)) ? undefined : suffixIn(about, path)) ??
          valueFor(propertiesOf(payload as JsonSchema)[name] ?? {}, name, made),
      ]
  }
  for (const path of [webhook!.key ?? []].flat())
    if (!Object.values(event).includes(path))
      yield [path, constantAt(webhook!, path) ?? hashOf(`${slug}/${path}/${number}`).slice(0, 24)]
  for (const { path, equals, one_of: some, equals_config: name } of webhook!.only_when ?? []) {
    const expected = equals ?? some?.[0] ?? (name === undefined ? undefined : config[name])
    if (expected !== undefined) yield [path, expected]
  }
  if (webhook!.account) {
    const { at: path, equals } = webhook!.account
    const name = Object.keys(event).find((one) => event[one] === path)
    const isNumber = typesOf(propertiesOf(payload as JsonSchema)[name ?? '']).includes('integer')
    const text = texted(equals, values)
    yield [path, isNumber && /^\d{1,15}$/.test(text) ? Number(text) : text]
  }
}

/** A value registered as `change_type` is sent as `changeType`. */
const constantAt = ({ constants = {} }: Webhook, path: string): string | undefined =>
  Object.entries(constants).find(
    ([name]) => plain(name) === plain(path.slice(path.lastIndexOf('.') + 1)),
  )?.[1]

/** Whether a member is of the envelope: the same member stands further inside, and that one is the object's. */
function isOuter(path: string, paths: readonly string[]): boolean {
  const tail = path.slice(path.lastIndexOf('.'))
  return paths.some((other) => other.endsWith(tail) && other.split('.').length > path.split('.').length)
}

/** `item.comment.user.login` is the `user.login` of a comment. */
function suffixIn(about: Readonly<Record<string, unknown>>, path: string): unknown {
  const parts = path.split('.').slice(1)
  return parts
    .map((_, index) => read(about, parts.slice(index).join('.')))
    .find((value) => value !== undefined)
}

/**
 * The requests with which an application tries an address before it uses it; the answer to each is the reply
 * of the manifest.
 */
export function handshakesOf(
  manifest: TriggerManifest,
  url: string,
  values: Happening['values'],
  now: number,
): WireRequest[] {
  return (manifest.webhook?.handshake ?? []).map(({ when, values: brought = {}, save = {}, verified }) => {
    let draft: Draft = {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      query: {},
      body: undefined,
    }
    const paths = [
      ...when.map(({ path, equals }): [string, unknown] => [path, equals ?? hashOf(path).slice(0, 24)]),
      ...Object.values({ ...brought, ...save }).map((path): [string, unknown] => [
        path,
        hashOf(path).slice(0, 24),
      ]),
    ]
    for (const [path, value] of paths)
      draft = at(
        draft.body === undefined && path.startsWith('body') ? { ...draft, body: {} } : draft,
        path,
        value,
      )
    return wireOf(verified ? signed(manifest.webhook!, draft, values, now) : draft)
  })
}

function wireOf(draft: Draft): WireRequest {
  const search = new URLSearchParams(draft.query).toString()
  return {
    method: draft.method,
    url: search ? `${draft.url}${draft.url.includes('?') ? '&' : '?'}${search}` : draft.url,
    headers: draft.headers,
    body: Buffer.from(bodyText(draft)),
  }
}
