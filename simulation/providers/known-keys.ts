import { createHash } from 'node:crypto'

/** Keys, passwords and clients of one provider: any that looks right is taken, until it is taken back. */
export class KnownKeys {
  readonly #known = new Set<string>()
  readonly #dead = new Set<string>()

  /** Whether a key that looks right still opens something. */
  takes(key: string): boolean {
    this.#known.add(key)
    return !this.#dead.has(key)
  }

  end(key: string): void {
    this.#dead.add(key)
  }

  /** As an administrator does who takes back whatever was used until now. */
  endAll(): void {
    for (const key of this.#known) this.#dead.add(key)
  }

  restoreAll(): void {
    this.#dead.clear()
  }
}

/** What tells one credential from another without being it. */
export const fingerprint = (credential: string): string =>
  createHash('sha256').update(credential).digest('hex').slice(0, 12)
