/** A typed array that grows: numbers are collected without an object each. */
export class Growing<T extends Uint8Array | Uint16Array | Uint32Array | Int8Array> {
  length = 0
  #array: T
  readonly #make: (length: number) => T

  constructor(make: (length: number) => T) {
    this.#make = make
    this.#array = make(1_024)
  }

  push(value: number): void {
    if (this.length === this.#array.length) this.#grow(this.length + 1)
    this.#array[this.length++] = value
  }

  /** What was collected, in an array of exactly that length. */
  done(): T {
    return this.#array.slice(0, this.length) as T
  }

  at(index: number): number {
    return this.#array[index] as number
  }

  #grow(length: number): void {
    const larger = this.#make(Math.max(length, this.#array.length * 2))
    larger.set(this.#array as never)
    this.#array = larger
  }
}
