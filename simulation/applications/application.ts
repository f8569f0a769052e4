import type {
  ErrorMeaning,
  JsonSchema,
  Toolkit,
  ToolManifest,
  TriggerManifest,
} from '../../src/catalog/index.ts'
import { filled } from './filled.ts'
import { credentialNames, signsIn } from './credentials.ts'
import { isTokenRequest, tokenReply } from './sign-in.ts'
import type { Notes } from './notes.ts'
import { matchOf } from './match.ts'
import { type Plan, planOf } from './plan.ts'
import { expectedFields } from './polled.ts'
import { routesOf } from './routes.ts'
import { exampleArguments } from './example-arguments.ts'
import { IN_ADDRESS, isObject, patternOf } from './read-back.ts'
import { propertiesOf, typesOf } from './read-arguments.ts'
import type { Surface } from './read-request.ts'
import { read, errorReply } from './error-replies.ts'
import { Store, type Thing } from './store.ts'
import { type Kind, kindsOf } from './types.ts'
import type { WireReply, WireRequest } from './wire.ts'
import { Webhooks } from './webhooks/index.ts'
import { runPlan, createStore, findThing } from './run-plan.ts'
import { withVariants, originOf } from './base-urls.ts'

/** What happened to the last request: which tool it was, and the arguments as they were read back from the wire. */
export interface Understood {
  readonly slug: string
  readonly op: Plan['op']
  readonly args: Readonly<Record<string, unknown>>
}

/** The next `left` requests fail in this way. */
export interface Trouble {
  meaning: ErrorMeaning
  left: number
}

/** Clocks answer milliseconds since the epoch. */
export interface ApplicationOptions {
  readonly triggers?: readonly TriggerManifest[]
  /** How late it is at least; without one, time is counted by changes. */
  readonly clock?: (() => number) | undefined
  /** When webhooks are signed, where nothing else is to know the time. */
  readonly signingClock?: (() => number) | undefined
}

/**
 * One application that behaves as a toolkit's manifest says, with state. Deterministic: the same requests get
 * the same answers.
 */
export class Application {
  readonly toolkit: Toolkit
  readonly #plans: readonly Plan[]
  readonly #kinds: ReadonlyMap<string, Kind>
  readonly #surface: Surface
  readonly #notes: Notes
  readonly #hosts: readonly RegExp[]
  readonly #clock: (() => number) | undefined
  #store: Store
  readonly webhooks: Webhooks
  #trouble: Trouble | undefined
  /** Of the newest request; undefined when it was of no tool. */
  understood: Understood | undefined

  constructor(
    toolkit: Toolkit,
    manifests: readonly ToolManifest[],
    notes: Notes,
    { triggers = [], clock, signingClock }: ApplicationOptions = {},
  ) {
    this.toolkit = toolkit
    this.#notes = notes
    this.#clock = clock
    const bases = [
      toolkit.manifest.base_url,
      ...toolkit.schemes.map(({ baseUrl }) => baseUrl?.source),
    ].filter((base) => base !== undefined)
    this.#surface = { bases: [...new Set(bases)], credentials: credentialNames(toolkit) }
    this.#plans = routesOf(manifests, triggers, notes, toolkit).map((route) =>
      planOf(route, toolkit.slug, notes),
    )
    const addresses = [
      ...bases.flatMap((base) => withVariants(base, toolkit)),
      ...this.#plans.map(({ route }) => route.request.path),
    ]
    const absolute = addresses.filter((text) => /^https?:\/\/([^/{]*\{[^}]*\}\.)?[^/{]+(\/|$)/.test(text))
    this.#hosts = [...new Set(absolute.map(originOf))].map((origin) => patternOf(origin, IN_ADDRESS).pattern)
    this.#kinds = kindsOf(this.#plans, notes)
    this.#store = createStore(this.#plans, this.#clock)
    this.webhooks = new Webhooks(triggers, notes, signingClock ?? clock ?? (() => this.#store.now))
  }

  /** Everything is as at the beginning. */
  reset(): void {
    this.#store = createStore(this.#plans, this.#clock)
    this.#trouble = undefined
    this.webhooks.reset()
  }

  /** Rejects the next requests as the application would. */
  fail(trouble: Trouble): void {
    this.#trouble = trouble
  }

  /**
   * Arguments with which a tool works here: those of its schema and its notes, and as identifier that of an
   * object that is there.
   */
  exampleArguments(slug: string, which: 'all' | 'required', input: JsonSchema): Record<string, unknown> {
    const plan = this.#plans.find(({ route }) => route.slug === slug)
    const args = exampleArguments(input, which, this.#notes.tools?.[slug]?.arguments)
    if (
      plan?.id === undefined ||
      plan.op === 'create' ||
      plan.op === 'answer' ||
      this.#notes.tools?.[slug]?.arguments?.[plan.id] !== undefined
    )
      return args
    const kind = this.#kinds.get(plan.type)!
    const there = read(this.#store.all(kind, args)[0]?.fields, kind.id)
    const [first] = [args[plan.id]].flat()
    const isList = typesOf(propertiesOf(input)[plan.id]).includes('array')
    const hasExample =
      propertiesOf(input)[plan.id]?.['examples'] !== undefined &&
      findThing(this.#store, kind, [args[plan.id]].flat()[0], args) !== undefined
    return there === undefined || hasExample
      ? args
      : { ...args, [plan.id]: isList ? [isObject(first) ? { ...first, [kind.id]: there } : there] : there }
  }

  get plans(): readonly Plan[] {
    return this.#plans
  }

  /** Whether a request is one of this application's, by its address alone. */
  knows(request: WireRequest): boolean {
    return matchOf(this.#plans, this.#surface, request) !== undefined || isTokenRequest(this.toolkit, request)
  }

  /** Whether the application has addresses at the host of this one. */
  isAt(url: string): boolean {
    return this.#hosts.some((pattern) => pattern.test(originOf(url)))
  }

  /**
   * Lets that happen of which a polling trigger tells: an object comes into being. `config` says where, as of
   * an instance of the trigger, `fields` what it is. Undefined where there is no such trigger, or no room.
   * For webhook triggers, use `webhooks.happen`.
   */
  happen(
    slug: string,
    config: Readonly<Record<string, unknown>> = {},
    fields: Readonly<Record<string, unknown>> = {},
  ): Thing | undefined {
    const plan = this.#plans.find(
      ({ route: { trigger } }) => trigger?.role === 'poll' && trigger.manifest.slug === slug,
    )
    if (!plan || this.#store.isFull) return undefined
    const noted = filled(plan.route.note.set ?? {}, config) as Record<string, unknown>
    return this.#store.create(
      this.#kinds.get(plan.type)!,
      [config, noted, expectedFields(plan, config), fields],
      {
        ...config,
        ...noted,
        ...plan.route.note.context,
      },
    )
  }

  handle(request: WireRequest): WireReply {
    this.understood = undefined
    if (isTokenRequest(this.toolkit, request)) return tokenReply(this.toolkit, request)
    const found = matchOf(this.#plans, this.#surface, request)
    if (!found)
      return errorReply(
        this.toolkit,
        'not_found',
        `The simulation of ${this.toolkit.name} knows no request ${request.method} ${request.url.split('?', 1)[0]}.`,
      )
    const {
      match: { plan, args },
      toolMatch,
    } = found
    this.understood = { slug: toolMatch.plan.route.slug, op: plan.op, args: toolMatch.args }
    if (!plan.route.noAuth && !this.toolkit.noAuth && !signsIn(this.toolkit, request))
      return errorReply(this.toolkit, 'reauth', 'The credentials are missing or have no such form.')
    if (this.#trouble && this.#trouble.left-- > 0)
      return errorReply(
        this.toolkit,
        this.#trouble.meaning,
        `The simulation is set to answer ${this.#trouble.meaning}.`,
      )
    return runPlan(
      { toolkit: this.toolkit, store: this.#store, kinds: this.#kinds, webhooks: this.webhooks },
      plan,
      args,
      request,
    )
  }
}
