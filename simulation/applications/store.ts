import type { JsonSchema } from '../../src/catalog/index.ts'
import { mailOf } from './mail.ts'
import { overlay } from './overlay.ts'
import { isObject } from './read-back.ts'
import { propertiesOf, typesOf } from './read-arguments.ts'
import { read, written } from './error-replies.ts'
import type { Kind } from './types.ts'
import { isIdName, type Making, mintedLike, valueFor } from './values.ts'

/** One object of a simulated application, and the arguments it was made with or put into. */
export type Thing = Record<'fields' | 'context', Record<string, unknown>>

/** Fields other than the identifier by which an object may be asked for. */
const NAMING = /^(id|gid|sid|iid|key|number|uuid|name|slug|login|username|email|path\w*|identifier|title)$/
const THINGS_MAX = 10_000
const CHANGES_MAX = 100_000
/** Numbers before it are those of objects that are there from the beginning. */
const FIRST = 100
const SEEDS = 2

/** The objects of one application. Nothing in it is random: the same calls make the same objects. */
export class Store {
  readonly #things = new Map<string, Thing[]>()
  readonly #homes = new Set<string>()
  /** What was made or changed, in that order. */
  readonly #changed: Thing[] = []
  readonly #words: ReadonlyMap<string, unknown>
  #made = FIRST
  #now: number
  readonly #clock: () => number

  /** `clock` says how late it is at least; without it time is counted by changes alone. */
  constructor(words: ReadonlyMap<string, unknown>, beginning: number, clock: () => number = () => beginning) {
    this.#words = words
    this.#now = beginning
    this.#clock = clock
  }

  /** The moment of the next change. */
  get now(): number {
    return this.#now
  }
  /** How much was made or changed until now. */
  get changes(): number {
    return this.#changed.length
  }
  /** Whether there is room for one more. */
  get isFull(): boolean {
    return this.#made >= THINGS_MAX || this.#changed.length >= CHANGES_MAX
  }

  making(type: string, sparse: boolean, number = this.#made + 1): Making {
    return { type, number, now: this.#now, words: this.#words, sparse }
  }

  /**
   * Objects of a kind in the places that `args` name; those that are there from the beginning are made at the
   * first look.
   */
  all(kind: Kind, args: Readonly<Record<string, unknown>>): Thing[] {
    this.#seed(kind, args)
    return this.#of(kind).filter(({ context }) =>
      kind.home.every(
        (name) =>
          args[name] === undefined || context[name] === undefined || sameText(context[name], args[name]),
      ),
    )
  }

  /** Of those objects the ones that were made or changed after so many changes, each once, as they are now. */
  changedAfter(count: number, things: readonly Thing[]): Thing[] {
    const there = new Set(things)
    return [...new Set(this.#changed.slice(Math.max(0, count)))].filter((thing) => there.has(thing))
  }

  find(kind: Kind, id: unknown, args: Readonly<Record<string, unknown>>): Thing | undefined {
    const things = this.all(kind, args)
    return (
      things.find(({ fields }) => sameText(read(fields, kind.id), id)) ??
      things.find(({ fields }) =>
        Object.entries(fields).some(([name, value]) => NAMING.test(name) && sameText(value, id)),
      )
    )
  }

  /** A further object, with what the request said of it. `sources` go from the least to the most telling. */
  create(
    kind: Kind,
    sources: readonly Readonly<Record<string, unknown>>[],
    context: Readonly<Record<string, unknown>>,
  ): Thing {
    this.#made++
    this.#now = Math.max(this.#now + 1_000, this.#clock())
    const making = this.making(kind.name, true, this.#made)
    const thing: Thing = {
      fields: valueFor(kind.schema, kind.name, making) as Record<string, unknown>,
      context: { ...context },
    }
    for (const source of sources) overlay(thing.fields, kind.schema, source)
    this.#identify(thing, kind, sources)
    if (kind.isMail) receive(thing, sources)
    for (const name of kind.omit) delete thing.fields[name]
    this.#of(kind).push(thing)
    this.#changed.push(thing)
    return thing
  }

  update(
    kind: Kind,
    thing: Thing,
    sources: readonly Readonly<Record<string, unknown>>[],
    context: Readonly<Record<string, unknown>>,
  ): void {
    this.#now = Math.max(this.#now + 1_000, this.#clock())
    const id = read(thing.fields, kind.id)
    for (const source of sources) overlay(thing.fields, kind.schema, source)
    if (id !== undefined) thing.fields = written(thing.fields, kind.id, id) as Record<string, unknown>
    touch(thing.fields, this.#now)
    Object.assign(thing.context, context)
    this.#changed.push(thing)
  }

  remove(kind: Kind, thing: Thing): void {
    const things = this.#of(kind)
    things.splice(things.indexOf(thing), 1)
  }

  #of(kind: Kind): Thing[] {
    const known = this.#things.get(kind.name) ?? []
    this.#things.set(kind.name, known)
    return known
  }

  /**
   * Every identifier is new, unless the request gave it: `name` of a branch is an identifier that the caller
   * chooses.
   */
  #identify(thing: Thing, kind: Kind, sources: readonly Readonly<Record<string, unknown>>[]): void {
    const provided = new Set(sources.flatMap((source) => Object.keys(source)))
    const mint = (name: string, schema: JsonSchema | undefined, example: unknown) => {
      const minted = mintedLike(example, `${kind.name}/${name}`, this.#made)
      return typesOf(schema).some((type) => type === 'integer' || type === 'number')
        ? Number(/\d+/.exec(minted)?.[0] ?? 1_000 + this.#made)
        : minted
    }
    for (const [name, schema] of Object.entries(propertiesOf(kind.schema))) {
      if (
        isIdName(name) &&
        name !== kind.id &&
        !provided.has(name) &&
        /^(id|gid|sid|uuid|key|number|iid|Id|ts)$/.test(name)
      )
        thing.fields[name] = mint(name, schema, (schema['examples'] as unknown[] | undefined)?.[0])
    }
    if (!provided.has(kind.id) || read(thing.fields, kind.id) === undefined) {
      const schema = kind.id
        .split('.')
        .reduce<JsonSchema | undefined>((at, name) => propertiesOf(at)[name], kind.schema)
      if (isIdName(kind.id.split('.').at(-1)!) || read(thing.fields, kind.id) === undefined)
        thing.fields = written(
          thing.fields,
          kind.id,
          mint(kind.id, schema, kind.examples[0] ?? read(kind.seeds[0], kind.id)),
        ) as Record<string, unknown>
    }
  }

  #seed(kind: Kind, args: Readonly<Record<string, unknown>>): void {
    const home = Object.fromEntries(
      kind.home.filter((name) => args[name] !== undefined).map((name) => [name, args[name]]),
    )
    const isWhole = Object.keys(home).length === kind.home.length
    const key = `${kind.name}\n${isWhole ? JSON.stringify(home) : '*'}`
    // A list that says nothing of the home shows what is there in all of them; with none yet, some in a home
    // of its own.
    if (this.#homes.has(key) || (!isWhole && this.#of(kind).length > 0)) return
    this.#homes.add(key)
    const count = Math.max(kind.seeds.length, kind.examples.length, SEEDS)
    for (let index = 0; index < count; index++) {
      const fields = valueFor(kind.schema, kind.name, this.making(kind.name, false, index + 1)) as Record<
        string,
        unknown
      >
      const seed = kind.seeds[index]
      const own = read(fields, kind.id)
      const isName = typeof own === 'string' && !kind.examples.length && !isIdName(kind.id.split('.').at(-1)!)
      const example =
        kind.examples[index] ??
        (isName
          ? `${own}${/\d$/.test(own) ? '' : index + 1}`
          : mintedLike(kind.examples[0], `${kind.name}/seed`, index + 1))
      const schema = kind.id
        .split('.')
        .reduce<JsonSchema | undefined>((at, name) => propertiesOf(at)[name], kind.schema)
      const id = typesOf(schema).includes('string')
        ? String(example)
        : typesOf(schema).some((type) => type === 'integer' || type === 'number')
          ? Number(/\d+/.exec(String(example))?.[0] ?? index + 1)
          : example
      const thing: Thing = {
        fields: written(fields, kind.id, id) as Record<string, unknown>,
        context: isWhole ? { ...home } : {},
      }
      if (String(id) !== String(example)) nameIt(thing.fields, String(example))
      if (seed) Object.assign(thing.fields, seed)
      for (const name of kind.omit) delete thing.fields[name]
      this.#of(kind).push(thing)
    }
  }
}

const CHANGED =
  /^(updated|updated_?at|modified_?at|modified_?time|last_?edited_?time|last_?modified_?date_?time|date_?updated)$/i

/** An object knows when it was changed, in whatever way it says when. */
function touch(fields: Record<string, unknown>, now: number): void {
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'fields' && isObject(value)) touch(value, now)
    else if (CHANGED.test(name))
      fields[name] =
        typeof value === 'number'
          ? Math.floor(now / 1_000)
          : /^\d+$/.test(String(value))
            ? String(now)
            : new Date(now).toISOString()
  }
}

/** A message belongs to the conversation that it names, or starts one. */
function receive(thing: Thing, sources: readonly Readonly<Record<string, unknown>>[]): void {
  const raw = sources.map((source) => source['raw']).find((one) => typeof one === 'string')
  if (typeof raw === 'string') Object.assign(thing.fields, mailOf(raw))
  const threadId = sources.map((source) => source['threadId']).find((one) => typeof one === 'string')
  thing.fields['threadId'] = threadId ?? thing.fields['id']
}

/** An example that is no number is the name by which an object with a number is asked for. */
function nameIt(fields: Record<string, unknown>, example: string): void {
  const names = Object.keys(fields).filter((name) => typeof fields[name] === 'string')
  const member =
    names.find((name) => example.includes('/') && /path|full_name/.test(name)) ??
    names.find((name) => /^(name|slug|login|username|key)$/.test(name)) ??
    names.find((name) => /^(title|email|path\w*)$/.test(name))
  if (member !== undefined) fields[member] = example
}

/** Arguments are text or numbers, and the case of most identifiers that people type does not matter. */
export const sameText = (a: unknown, b: unknown): boolean =>
  a !== undefined && a !== null && b !== undefined && String(a).toLowerCase() === String(b).toLowerCase()
