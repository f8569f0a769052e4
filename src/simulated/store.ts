import type { JsonSchema } from '../catalog/index.ts'
import { mailOf } from './mail.ts'
import { overlay } from './overlay.ts'
import { propertiesOf, typesOf } from './read-request.ts'
import { read, written } from './refusals.ts'
import type { Kind } from './types.ts'
import { isIdName, type Making, mintedLike, valueFor } from './values.ts'

/** One object of a simulated application, and the arguments it was made with or put into. */
export interface Thing { fields: Record<string, unknown>, context: Record<string, unknown> }

/** Members beside the identifier by which an object may be asked for. */
const NAMING = /^(id|gid|sid|iid|key|number|uuid|name|slug|login|username|email|path\w*|identifier|title)$/
const THINGS_MAX = 10_000
/** Numbers before it are those of objects that are there from the beginning. */
const FIRST = 100
const SEEDS = 2

/** The objects of one application. Nothing in it is random: the same calls make the same objects. */
export class Store {
  readonly #things = new Map<string, Thing[]>()
  readonly #homes = new Set<string>()
  readonly #words: ReadonlyMap<string, unknown>
  #made = FIRST
  #now: number

  constructor(words: ReadonlyMap<string, unknown>, now: number) {
    this.#words = words
    this.#now = now
  }

  /** The moment of the next change. */
  get now(): number { return this.#now }
  /** Whether there is room for one more. */
  get isFull(): boolean { return this.#made >= THINGS_MAX }

  making(type: string, sparse: boolean, number = this.#made + 1): Making {
    return { type, number, now: this.#now, words: this.#words, sparse }
  }

  /** Objects of a kind in the places that `args` name; those that are there from the beginning are made at the first look. */
  all(kind: Kind, args: Readonly<Record<string, unknown>>): Thing[] {
    this.#seed(kind, args)
    return this.#of(kind).filter(({ context }) => kind.home.every((name) => args[name] === undefined || context[name] === undefined || sameText(context[name], args[name])))
  }

  find(kind: Kind, id: unknown, args: Readonly<Record<string, unknown>>): Thing | undefined {
    const things = this.all(kind, args)
    return things.find(({ fields }) => sameText(read(fields, kind.id), id)) ?? things.find(({ fields }) => Object.entries(fields).some(([name, value]) => NAMING.test(name) && sameText(value, id)))
  }

  /** A further object, with what the request said of it. `sources` go from the least to the most telling. */
  create(kind: Kind, sources: readonly Readonly<Record<string, unknown>>[], context: Readonly<Record<string, unknown>>): Thing {
    this.#made++
    this.#now += 1_000
    const making = this.making(kind.name, true, this.#made)
    const thing: Thing = { fields: valueFor(kind.schema, kind.name, making) as Record<string, unknown>, context: { ...context } }
    for (const source of sources) overlay(thing.fields, kind.schema, source)
    this.#identify(thing, kind, sources)
    if (kind.isMail) receive(thing, sources)
    this.#of(kind).push(thing)
    return thing
  }

  update(kind: Kind, thing: Thing, sources: readonly Readonly<Record<string, unknown>>[], context: Readonly<Record<string, unknown>>): void {
    this.#now += 1_000
    const id = read(thing.fields, kind.id)
    for (const source of sources) overlay(thing.fields, kind.schema, source)
    if (id !== undefined) thing.fields = written(thing.fields, kind.id, id) as Record<string, unknown>
    Object.assign(thing.context, context)
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

  /** Every identifier is new, unless the request gave it: `name` of a branch is an identifier that the caller chooses. */
  #identify(thing: Thing, kind: Kind, sources: readonly Readonly<Record<string, unknown>>[]): void {
    const given = new Set(sources.flatMap((source) => Object.keys(source)))
    const mint = (name: string, schema: JsonSchema | undefined, example: unknown) => {
      const minted = mintedLike(example, `${kind.name}/${name}`, this.#made)
      return typesOf(schema).some((type) => type === 'integer' || type === 'number') ? Number(/\d+/.exec(minted)?.[0] ?? 1_000 + this.#made) : minted
    }
    for (const [name, schema] of Object.entries(propertiesOf(kind.schema))) {
      if (isIdName(name) && name !== kind.id && !given.has(name) && /^(id|gid|sid|uuid|key|number|iid|Id|ts)$/.test(name)) thing.fields[name] = mint(name, schema, (schema['examples'] as unknown[] | undefined)?.[0])
    }
    if (!given.has(kind.id) || read(thing.fields, kind.id) === undefined) {
      const schema = kind.id.split('.').reduce<JsonSchema | undefined>((at, name) => propertiesOf(at)[name], kind.schema)
      if (isIdName(kind.id.split('.').at(-1)!) || read(thing.fields, kind.id) === undefined) thing.fields = written(thing.fields, kind.id, mint(kind.id, schema, kind.examples[0] ?? read(kind.seeds[0], kind.id))) as Record<string, unknown>
    }
  }

  #seed(kind: Kind, args: Readonly<Record<string, unknown>>): void {
    const home = Object.fromEntries(kind.home.filter((name) => args[name] !== undefined).map((name) => [name, args[name]]))
    const isWhole = Object.keys(home).length === kind.home.length
    const key = `${kind.name}\n${isWhole ? JSON.stringify(home) : '*'}`
    // A list that says nothing of the home shows what is there in all of them; with none yet, some in a home of its own.
    if (this.#homes.has(key) || (!isWhole && this.#of(kind).length > 0)) return
    this.#homes.add(key)
    const wanted = Math.max(kind.seeds.length, kind.examples.length, SEEDS)
    for (let index = 0; index < wanted; index++) {
      const fields = valueFor(kind.schema, kind.name, this.making(kind.name, false, index + 1)) as Record<string, unknown>
      const seed = kind.seeds[index]
      const own = read(fields, kind.id)
      const isName = typeof own === 'string' && !kind.examples.length && !isIdName(kind.id.split('.').at(-1)!)
      const example = kind.examples[index] ?? (isName ? `${own}${/\d$/.test(own) ? '' : index + 1}` : mintedLike(kind.examples[0], `${kind.name}/seed`, index + 1))
      const schema = kind.id.split('.').reduce<JsonSchema | undefined>((at, name) => propertiesOf(at)[name], kind.schema)
      const id = typesOf(schema).includes('string') ? String(example) : typesOf(schema).some((type) => type === 'integer' || type === 'number') ? Number(/\d+/.exec(String(example))?.[0] ?? index + 1) : example
      const thing: Thing = { fields: written(fields, kind.id, id) as Record<string, unknown>, context: isWhole ? { ...home } : {} }
      if (String(id) !== String(example)) nameIt(thing.fields, String(example))
      if (seed) Object.assign(thing.fields, seed)
      this.#of(kind).push(thing)
    }
  }
}

/** A message stands in the conversation that it names, or begins one. */
function receive(thing: Thing, sources: readonly Readonly<Record<string, unknown>>[]): void {
  const raw = sources.map((source) => source['raw']).find((one) => typeof one === 'string')
  if (typeof raw === 'string') Object.assign(thing.fields, mailOf(raw))
  const threadId = sources.map((source) => source['threadId']).find((one) => typeof one === 'string')
  thing.fields['threadId'] = threadId ?? thing.fields['id']
}

/** An example that is no number is the name by which an object with a number is asked for. */
function nameIt(fields: Record<string, unknown>, example: string): void {
  const names = Object.keys(fields).filter((name) => typeof fields[name] === 'string')
  const member = names.find((name) => example.includes('/') && /path|full_name/.test(name)) ?? names.find((name) => /^(name|slug|login|username|key)$/.test(name)) ?? names.find((name) => /^(title|email|path\w*)$/.test(name))
  if (member !== undefined) fields[member] = example
}

/** Arguments come as text or number, and upper and lower case are the same in most identifiers that people type. */
export const sameText = (a: unknown, b: unknown): boolean => a !== undefined && a !== null && b !== undefined && String(a).toLowerCase() === String(b).toLowerCase()
