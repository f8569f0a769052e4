/** What the starting process says to a peer's process. */
export type ToPeer =
  | { kind: 'start'; directory: string; config: unknown }
  | { kind: 'call'; id: number; method: string }

/** What a peer's process says to the one that started it. */
export type FromPeer =
  | { kind: 'ready'; facts: unknown }
  | { kind: 'failed'; error: string }
  | { kind: 'answer'; id: number; value?: unknown; error?: string }
