import type { Hit } from './rank.ts'

const NOT_RATED = -1

/**
 * Keeps the best of many hits: a heap whose first is the worst that is kept. Of equal scores the earlier tool
 * stands first.
 */
export class Top {
  readonly #count: number
  readonly #heap: Hit[] = []

  constructor(count: number) {
    this.#count = count
  }

  /** A score below this is not kept. */
  get floor(): number {
    return this.#heap.length < this.#count ? -Infinity : this.#heap[0]!.score
  }

  /** Whether `add` would keep it. */
  takes(score: number, segment: number, tool: number): boolean {
    if (this.#heap.length < this.#count) return true
    const worst = this.#heap[0]!
    return (
      score > worst.score ||
      (score === worst.score && (segment < worst.segment || (segment === worst.segment && tool < worst.tool)))
    )
  }

  add(score: number, segment: number, tool: number): void {
    const hit = { segment, tool, score, row: NOT_RATED }
    if (this.#heap.length < this.#count) this.#rise(hit)
    else if (this.takes(score, segment, tool)) this.#sink(hit)
  }

  /** Best first; the heap is used up. */
  best(): Hit[] {
    return this.#heap.sort((a, b) => (worse(a, b) ? 1 : -1))
  }

  #rise(hit: Hit): void {
    let at = this.#heap.push(hit) - 1
    for (let parent = (at - 1) >> 1; at > 0 && worse(hit, this.#heap[parent]!); parent = (at - 1) >> 1) {
      this.#heap[at] = this.#heap[parent]!
      at = parent
    }
    this.#heap[at] = hit
  }

  #sink(hit: Hit): void {
    const heap = this.#heap
    let at = 0
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && worse(heap[child + 1]!, heap[child]!)) child++
      if (!worse(heap[child]!, hit)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = hit
  }
}

const worse = (a: Hit, b: Hit): boolean =>
  a.score < b.score ||
  (a.score === b.score && (a.segment > b.segment || (a.segment === b.segment && a.tool > b.tool)))
