/** Something that is aborted when a signal fires. `Followers` writes its `position` in their list. */
export interface Follower {
  position: number
  abort(): void
}

/**
 * The followers of one signal. The signal has one listener for all of them: AbortSignal compares each new listener with
 * all that it has, which takes a twentieth of a delivery with 256 requests at once.
 */
export class Followers {
  /** An array, because V8 links each table that a Set has outgrown to the next one: an old one would keep them all. */
  readonly #all: Follower[] = []

  constructor(signal: AbortSignal) {
    const abortAll = () => {
      for (const follower of [...this.#all]) follower.abort()
    }
    signal.addEventListener('abort', abortAll, { once: true })
  }

  add(follower: Follower): void {
    follower.position = this.#all.push(follower) - 1
  }

  /** Removes a follower, if it is one. */
  remove(follower: Follower): void {
    if (this.#all[follower.position] !== follower) return
    const last = this.#all.pop()!
    if (last === follower) return
    this.#all[follower.position] = last
    last.position = follower.position
  }
}

const followers = new WeakMap<AbortSignal, Followers>()

/** Marks a signal that many requests follow at once, and returns it. */
export function shareSignal(signal: AbortSignal): AbortSignal {
  followers.set(signal, new Followers(signal))
  return signal
}

/** Returns the followers of a signal that was marked. */
export const followersOf = (signal: AbortSignal): Followers | undefined => followers.get(signal)
