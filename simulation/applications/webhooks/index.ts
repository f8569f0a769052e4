import type { TriggerManifest } from '../../../src/catalog/index.ts'
import type { Notes } from '../notes.ts'
import type { Plan } from '../plan.ts'
import { withConstants } from '../trigger-routes.ts'
import { read } from '../error-replies.ts'
import { sameText, type Thing } from '../store.ts'
import type { WireRequest } from '../wire.ts'
import { deliveryOf, handshakesOf } from './compose.ts'

/** The URL to which an application sends the events of a trigger. */
interface Registration {
  readonly request: string
  readonly thing: Thing
  readonly url: string
  readonly config: Args
  readonly values: Args
}
type Args = Readonly<Record<string, unknown>>

/**
 * What is to happen: `config` says where; `fields` are members of the payload. An address of an app has to be
 * told (`to`), with the secrets it holds and the values of the account (`values`).
 */
export interface Happens {
  config?: Args
  fields?: Args
  to?: string | undefined
  values?: Args
}

/** `isTry`: the request verifies the URL, before any event is sent to it. */
interface Call {
  readonly request: WireRequest
  readonly isTry: boolean
}

/** Calls that wait to be sent; more are forgotten, as by an application whose receiver is gone. */
const OUTBOX_MAX = 1_000

/** The webhooks of one application: who registered, and what they are to be told. */
export class Webhooks {
  readonly #triggers: readonly TriggerManifest[]
  readonly #notes: NonNullable<Notes['triggers']>
  readonly #clock: () => number
  #registrations: Registration[] = []
  #outbox: Call[] = []
  #sentCount = 0
  /** Secrets of the app, used for signatures in addition to those agreed at registration. */
  known: Args = {}

  constructor(triggers: readonly TriggerManifest[], notes: Notes, clock: () => number) {
    this.#triggers = triggers.filter(({ webhook }) => webhook !== undefined)
    this.#notes = notes.triggers ?? {}
    this.#clock = clock
  }

  reset(): void {
    this.#registrations = []
    this.#outbox = []
  }

  /**
   * An address is registered: it is tried first, where the application does so. `reply` is the answer to the
   * registration.
   */
  register({ route: { trigger } }: Plan, args: Args, thing: Thing, reply: unknown): void {
    const { manifest } = trigger!
    const {
      webhook_url: url,
      webhook_secret: secret,
      webhook_id: _id,
      webhook_until: _until,
      webhook_until_ms: _untilMs,
      ...config
    } = args
    const saved = Object.entries(manifest.webhook!.registration?.save ?? {}).map(([name, path]) => [
      name,
      read(reply, path),
    ])
    const values = { ...this.known, webhook_secret: secret, ...(Object.fromEntries(saved) as Args) }
    this.#registrations.push({ request: registrationOf(manifest), thing, url: String(url), config, values })
    for (const request of handshakesOf(manifest, String(url), values, this.#clock()))
      this.#post(request, true)
  }

  unregister(things: readonly Thing[]): void {
    this.#registrations = this.#registrations.filter(({ thing }) => !things.includes(thing))
  }

  /** A tool did something of which triggers tell. */
  after(tool: string, args: Args, things: readonly Thing[]): void {
    for (const manifest of this.#triggers) {
      if (this.#notes[manifest.slug]?.on?.includes(tool))
        for (const thing of things.length ? things : [undefined])
          this.#announce(manifest, { config: args }, thing)
    }
  }

  /** Makes an event of a trigger. Returns how many URLs receive it; undefined where there is no such trigger. */
  happen(slug: string, happens: Happens): number | undefined {
    const manifest = this.#triggers.find((one) => one.slug === slug)
    return manifest && this.#announce(manifest, happens, undefined)
  }

  /** The requests with which the application tries an address of an app. */
  tries(slug: string, url: string, values: Args): WireRequest[] {
    const manifest = this.#triggers.find((one) => one.slug === slug)
    return manifest ? handshakesOf(manifest, url, values, this.#clock()) : []
  }

  /** The calls that are due, each once; of all, or of those alone that try an address. */
  take(which: 'all' | 'tries' = 'all'): WireRequest[] {
    const removed = this.#outbox.filter(({ isTry }) => isTry || which === 'all')
    this.#outbox = this.#outbox.filter((one) => !removed.includes(one))
    return removed.map(({ request }) => request)
  }

  /** A URL (without its query) that failed its verification receives nothing. */
  refuse(url: string): void {
    this.#registrations = this.#registrations.filter((one) => one.url.split('?', 1)[0] !== url)
  }

  #announce(
    manifest: TriggerManifest,
    { config = {}, fields = {}, to, values = {} }: Happens,
    thing: Thing | undefined,
  ): number {
    const note = this.#notes[manifest.slug] ?? {}
    const number = ++this.#sentCount
    const about = { ...config, ...thing?.context, ...thing?.fields }
    const heard =
      to !== undefined
        ? [{ url: to, config, values }]
        : this.#registrations.filter(
            (one) =>
              one.request === registrationOf(manifest) &&
              Object.entries(one.config).every(
                ([name, value]) =>
                  config[name] === undefined || value === undefined || sameText(config[name], value),
              ),
          )
    for (const one of heard)
      this.#post(
        deliveryOf({
          manifest,
          note,
          config: { ...config, ...one.config },
          url: one.url,
          values: { ...this.known, ...values, ...one.values },
          fields,
          about,
          number,
          now: this.#clock(),
        }),
      )
    return heard.length
  }

  #post(request: WireRequest, isTry = false): void {
    if (this.#outbox.length < OUTBOX_MAX) this.#outbox.push({ request, isTry })
  }
}

/** Triggers that register in the same words hear the same calls. */
const registrationOf = ({ webhook }: TriggerManifest): string =>
  webhook?.registration
    ? JSON.stringify(withConstants(webhook.registration.request, webhook.constants ?? {}))
    : ''
