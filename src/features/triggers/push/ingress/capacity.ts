/** Concurrent requests to the URLs of one project, and the bytes of their bodies that are in memory. */
const REQUESTS_PER_PROJECT_MAX = 20
const BYTES_PER_PROJECT_MAX = 32 * 1024 * 1024
/** Bytes of bodies in memory, of all projects. */
const BYTES_MAX = 128 * 1024 * 1024

/** The place of one request. It ends with the response. */
export interface IngressPlace {
  /** Counts bytes of the body as they arrive. Returns whether they fit. */
  add(bytes: number): boolean
  close(): void
}

interface Usage {
  requests: number
  bytes: number
}

/**
 * Limits what deliveries use: requests and bytes of each project, and bytes of all. Slow or large deliveries to one
 * project therefore leave room for those of others.
 */
export class IngressCapacity {
  readonly #projects = new Map<string, Usage>()
  #bytes = 0

  /** Opens a place. Returns undefined if the project has no more. */
  open(projectId: string): IngressPlace | undefined {
    const usage = this.#projects.get(projectId) ?? { requests: 0, bytes: 0 }
    if (usage.requests >= REQUESTS_PER_PROJECT_MAX) return undefined
    usage.requests++
    this.#projects.set(projectId, usage)
    let own = 0
    let isOpen = true
    return {
      add: (bytes) => {
        if (!isOpen || usage.bytes + bytes > BYTES_PER_PROJECT_MAX || this.#bytes + bytes > BYTES_MAX)
          return false
        own += bytes
        usage.bytes += bytes
        this.#bytes += bytes
        return true
      },
      close: () => {
        if (!isOpen) return
        isOpen = false
        usage.bytes -= own
        this.#bytes -= own
        if (--usage.requests === 0) this.#projects.delete(projectId)
      },
    }
  }
}
