import type { SearchDocument, SearchToolkit } from './document.ts'
import { embeddingText, textDigest } from './embedding-text.ts'
import { Growing } from './growable-array.ts'
import { headWord } from './head-word.ts'
import { EMPTY_VECTORS, type Vectors } from '../ranking/vectors.ts'
import { wordsOf } from '../query/tokens.ts'
import type { TextNumbers, Texts } from './texts.ts'
import { verbsOfTool } from './tool-verbs.ts'

/**
 * An immutable index over tools, in arrays that a file holds as they are. Tools of one toolkit stand
 * together.
 */
export interface Segment {
  readonly toolkits: readonly SegmentToolkit[]
  /** Of the tools, in their order. */
  readonly slugs: Texts
  /** The words, in the order of `postingStart`. */
  readonly terms: Texts
  readonly termNumber: TextNumbers
  /** Where the postings of a term begin; one longer than there are terms. */
  readonly postingStart: Uint32Array
  readonly postingTool: Uint32Array
  /** The saturated weight of a word in a tool, times `IMPACT_SCALE`. */
  readonly postingImpact: Uint16Array
  readonly toolkitOf: Uint32Array
  /** Where the terms of a tool's name begin; one longer than there are tools. */
  readonly nameStart: Uint32Array
  readonly nameTerm: Uint32Array
  /** The term of the thing that a tool is about; `NO_TERM` if its name has none. */
  readonly headTerm: Uint32Array
  /** Classes of verbs (`lexicon.ts`). */
  readonly verbs: Uint16Array
  readonly depth: Uint8Array
  /** 1 for a tool that was written by hand: its manifest has phrases. */
  readonly curated: Uint8Array
  /** Equal for tools that differ only in the edition of their API. */
  readonly likeness: Uint32Array
  /** One after the other, `dimensions` signed bytes each; empty without a model. */
  readonly vectors: Int8Array
  /** Digests of the texts that an embedding model reads, one after the other, `DIGEST_BYTES` each. */
  readonly textDigests: Uint8Array
  /** Where the tools that a tool needs begin; one longer than there are tools. */
  readonly neededStart: Uint32Array
  /** Tools that return values of the arguments of a tool, by their numbers. */
  readonly needed: Uint32Array
}

export interface SegmentToolkit {
  readonly slug: string
  /** Of the content that was indexed; empty if it is not known. */
  readonly digest: string
  readonly name: string
  readonly hosts: readonly string[]
  /** First tool, and the one after the last. */
  readonly from: number
  readonly to: number
}

/**
 * A field's weight, how much its length counts (b of BM25), and the length that counts as usual: fixed, so
 * that what one tool scores does not hang on the others.
 */
export const FIELDS = [
  { name: 'name', weight: 2.5, b: 0.3, usual: 5, wordsMax: 64 },
  { name: 'toolkit', weight: 1.5, b: 0.3, usual: 3, wordsMax: 32 },
  { name: 'description', weight: 1, b: 0.65, usual: 20, wordsMax: 400 },
  { name: 'tags', weight: 0.5, b: 0.3, usual: 3, wordsMax: 64 },
  { name: 'parameters', weight: 0.5, b: 0.6, usual: 40, wordsMax: 400 },
  { name: 'phrases', weight: 1.2, b: 0.3, usual: 33, wordsMax: 100 },
] as const
/** No term has this number. */
export const NO_TERM = 2 ** 32 - 1
export const K1 = 0.9
export const IMPACT_SCALE = 65_535 / (K1 + 1)

/**
 * Indexes toolkits. Takes about 20 µs a tool; the memory is that of the result and once more as much while it
 * is put in order.
 */
export function buildSegment(toolkits: Iterable<SearchToolkit>, model: Vectors = EMPTY_VECTORS): Segment {
  const builder = new SegmentBuilder(model)
  for (const toolkit of toolkits) builder.add(toolkit)
  return builder.done()
}

/** Takes toolkits one by one. */
export class SegmentBuilder {
  readonly #terms: string[] = []
  readonly #termNumber = new Map<string, number>()
  readonly #slugs: string[] = []
  readonly #toolkits: SegmentToolkit[] = []
  // Postings in the order of the tools; `done` puts them in the order of the terms.
  readonly #term = new Growing((length) => new Uint32Array(length))
  readonly #impact = new Growing((length) => new Uint16Array(length))
  readonly #postingEnd = new Growing((length) => new Uint32Array(length))
  readonly #toolkitOf = new Growing((length) => new Uint32Array(length))
  readonly #nameStart = new Growing((length) => new Uint32Array(length))
  readonly #headTerm = new Growing((length) => new Uint32Array(length))
  readonly #nameTerm = new Growing((length) => new Uint32Array(length))
  readonly #verbs = new Growing((length) => new Uint16Array(length))
  readonly #depth = new Growing((length) => new Uint8Array(length))
  readonly #curated = new Growing((length) => new Uint8Array(length))
  readonly #likeness = new Growing((length) => new Uint32Array(length))
  readonly #vectors = new Growing((length) => new Int8Array(length))
  readonly #textDigests = new Growing((length) => new Uint8Array(length))
  readonly #neededStart = new Growing((length) => new Uint32Array(length))
  readonly #needed = new Growing((length) => new Uint32Array(length))
  readonly #model: Vectors

  constructor(model: Vectors) {
    this.#model = model
    this.#nameStart.push(0)
    this.#neededStart.push(0)
  }

  add(toolkit: SearchToolkit): void {
    const from = this.#slugs.length
    const own = wordsOf(`${toolkit.name} ${toolkit.slug.replace(/[_./]+/g, ' ')}`)
    const family = toolkit.hosts[0] ?? toolkit.slug
    for (const tool of toolkit.tools) {
      this.#addTool(tool, own, family)
      for (const byte of textDigest(embeddingText(tool, toolkit.name))) this.#textDigests.push(byte)
    }
    this.#addNeeds(toolkit, from)
    this.#toolkits.push({
      slug: toolkit.slug,
      digest: toolkit.digest ?? '',
      name: toolkit.name,
      hosts: toolkit.hosts,
      from,
      to: this.#slugs.length,
    })
  }

  #addNeeds({ tools }: SearchToolkit, from: number): void {
    const places = new Map(tools.map(({ slug }, at) => [slug, at]))
    for (const { needs = [] } of tools) {
      for (const slug of needs) {
        const place = places.get(slug)
        if (place !== undefined) this.#needed.push(from + place)
      }
      this.#neededStart.push(this.#needed.length)
    }
  }

  #addTool(tool: SearchDocument, toolkitWords: readonly string[], family: string): void {
    const name = wordsOf(tool.name)
    const fields = [
      [...name, ...wordsOf(tool.otherNames).filter((word) => !name.includes(word))],
      toolkitWords,
      wordsOf(tool.description),
      wordsOf(tool.tags.join(' ')),
      wordsOf(tool.parameters.map((one) => `${one.name} ${one.description}`).join(' ')),
      wordsOf(tool.phrases.join(' . ')),
    ]
    for (const [number, weight] of this.#weights(fields)) {
      this.#term.push(number)
      this.#impact.push(Math.round(((weight * (K1 + 1)) / (weight + K1)) * IMPACT_SCALE))
    }
    this.#postingEnd.push(this.#term.length)
    for (const word of new Set(name)) this.#nameTerm.push(this.#numberOf(word))
    this.#nameStart.push(this.#nameTerm.length)
    const head = headWord(tool.name)
    this.#headTerm.push(head === undefined ? NO_TERM : this.#numberOf(head))
    this.#slugs.push(tool.slug)
    this.#toolkitOf.push(this.#toolkits.length)
    this.#verbs.push(verbsOfTool(tool, fields[0]!))
    this.#depth.push(Math.min(255, (tool.path ?? '').split('/').filter(Boolean).length))
    this.#curated.push(tool.isCurated ? 1 : 0)
    this.#likeness.push(hash(`${family}\n${name.join(' ')}\n${tool.path ?? ''}\n${tool.effect ?? ''}`))
    for (const value of this.#model.bytesOf([...fields[0]!, ...toolkitWords, ...fields[2]!, ...fields[5]!]))
      this.#vectors.push(value)
  }

  /** The weighted frequency of each word over the fields, each field by its length. */
  #weights(fields: readonly (readonly string[])[]): Map<number, number> {
    const weights = new Map<number, number>()
    fields.forEach((words, at) => {
      const { weight, b, usual, wordsMax } = FIELDS[at]!
      const length = Math.min(words.length, wordsMax)
      const share = weight / (1 - b + (b * length) / usual)
      for (let word = 0; word < length; word++) {
        const number = this.#numberOf(words[word]!)
        weights.set(number, (weights.get(number) ?? 0) + share)
      }
    })
    return weights
  }

  #numberOf(word: string): number {
    let number = this.#termNumber.get(word)
    if (number === undefined) {
      this.#termNumber.set(word, (number = this.#terms.length))
      this.#terms.push(word)
    }
    return number
  }

  done(): Segment {
    const postingStart = new Uint32Array(this.#terms.length + 1)
    for (let at = 0; at < this.#term.length; at++) postingStart[this.#term.at(at) + 1]!++
    for (let term = 0; term < this.#terms.length; term++) postingStart[term + 1]! += postingStart[term]!
    const next = postingStart.slice()
    const postingTool = new Uint32Array(this.#term.length)
    const postingImpact = new Uint16Array(this.#term.length)
    for (let tool = 0, at = 0; tool < this.#slugs.length; tool++) {
      for (const end = this.#postingEnd.at(tool); at < end; at++) {
        const place = next[this.#term.at(at)]!++
        postingTool[place] = tool
        postingImpact[place] = this.#impact.at(at)
      }
    }
    return {
      toolkits: this.#toolkits,
      slugs: this.#slugs,
      terms: this.#terms,
      termNumber: this.#termNumber,
      postingStart,
      postingTool,
      postingImpact,
      toolkitOf: this.#toolkitOf.done(),
      nameStart: this.#nameStart.done(),
      nameTerm: this.#nameTerm.done(),
      headTerm: this.#headTerm.done(),
      verbs: this.#verbs.done(),
      depth: this.#depth.done(),
      curated: this.#curated.done(),
      likeness: this.#likeness.done(),
      vectors: this.#vectors.done(),
      textDigests: this.#textDigests.done(),
      neededStart: this.#neededStart.done(),
      needed: this.#needed.done(),
    }
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}
