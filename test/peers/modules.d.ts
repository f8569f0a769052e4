// Only what the peers use of packages that bring no types.

declare module 'node-red' {
  import type { RequestListener, Server } from 'node:http'
  import type { EventEmitter } from 'node:events'
  const RED: {
    init(server: Server, settings: Record<string, unknown>): void
    start(): Promise<void>
    stop(): Promise<void>
    httpAdmin: RequestListener
    httpNode: RequestListener
    events: EventEmitter
  }
  export default RED
}

declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'
  interface Context {
    oidc?: { route?: string; params?: Record<string, unknown> }
    status: number
  }
  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void
    callback(): RequestListener
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  export default class MemoryAdapter {
    constructor(model: string, store: Map<string, unknown>)
  }
}

declare module 's3rver' {
  /** An S3-speaking server for tests; the part of it that is used. */
  export default class S3rver {
    constructor(options: {
      port: number
      address: string
      silent: boolean
      directory: string
      configureBuckets: { name: string; configs: string[] }[]
    })
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
}
