import type { ChangeBus, ChangeOn } from '../platform/change-bus.ts'
import type { Listener } from '../platform/db/notifications.ts'

type CacheChange = ChangeOn<'changes'>
type Kind = CacheChange['kind']
type HandlerOf<K extends Kind> = (change: Extract<CacheChange, { kind: K }>) => void

/** The caches of this process and the changes that invalidate them, over one connection. */
export class ChangeSubscriptions {
  readonly #handlers = new Map<Kind, HandlerOf<Kind>[]>()
  readonly #missedHandlers: (() => void)[] = []
  readonly #listener: Listener

  constructor(bus: ChangeBus) {
    this.#listener = bus.subscribe(
      'changes',
      (change) => {
        for (const handle of this.#handlers.get(change.kind) ?? []) handle(change)
      },
      () => {
        for (const handle of this.#missedHandlers) handle()
      },
    )
  }

  /** Whether this process receives changes now. Without them nothing may be cached. */
  get connected(): boolean {
    return this.#listener.connected
  }

  /** Resolves true when `handle` was called for all changes that had committed before the call; false if some are missed. */
  confirm(): Promise<boolean> {
    return this.#listener.confirm()
  }

  /** Calls `handle` for changes of one kind, and `onMissed` when some may have been missed. */
  on<K extends Kind>(kind: K, handle: HandlerOf<K>, onMissed?: () => void): void {
    this.#handlers.set(kind, [...(this.#handlers.get(kind) ?? []), handle as unknown as HandlerOf<Kind>])
    if (onMissed) this.#missedHandlers.push(onMissed)
  }

  close(): Promise<void> {
    return this.#listener.close()
  }
}
