import type { Encryptor } from '../../../../platform/crypto/index.ts'
import type { Pool } from '../../../../platform/db/sql.ts'
import { tellsSecret } from '../../../../platform/secret-detection.ts'
import * as store from './store.ts'

/** Sentences by toolkit. */
export type Facts = Readonly<Record<string, readonly string[]>>

const SENTENCES_MAX = 50
const CHARACTERS_MAX = 300
const TOOLKITS_A_CALL_MAX = 20
/** In one search answer, of one toolkit: the newest. */
const TOLD_MAX = 10

const contextOf = (id: string) => `user_memories:${id}:encrypted_payload`

/** What earlier calls noted about a user, by toolkit: ids, names, habits. */
export function memory({ db, encryptor }: { db: Pool; encryptor: Encryptor }) {
  return {
    /** The newest sentences of each toolkit, oldest first; toolkits without any are left out. */
    async recall(projectId: string, userId: string, toolkits: readonly string[]): Promise<Facts> {
      if (!toolkits.length) return {}
      const rows = await store.read(db, projectId, userId, toolkits)
      return Object.fromEntries(
        rows
          .map(
            ({ id, toolkit, encrypted_payload: encryptedPayload }) =>
              [toolkit, encryptor.decrypt<string[]>(encryptedPayload, contextOf(id)).slice(-TOLD_MAX)] as const,
          )
          .filter(([, told]) => told.length),
      )
    },

    /** Adds sentences; of a toolkit the oldest make room. A sentence that is there already becomes the newest; one that looks like it holds a secret is not kept. */
    async note(projectId: string, userId: string, facts: Facts): Promise<void> {
      // In one order, so that two calls that note at once do not wait for each other in a ring.
      for (const [toolkit, sentences] of Object.entries(facts)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, TOOLKITS_A_CALL_MAX)) {
        const fresh = kept(sentences)
        if (!fresh.length) continue
        await db.begin(async (tx) => {
          const row = await store.hold(tx, projectId, userId, toolkit, (id) =>
            encryptor.encrypt([], contextOf(id)),
          )
          if (!row) return
          const known = encryptor
            .decrypt<string[]>(row.encrypted_payload, contextOf(row.id))
            .filter((one) => !fresh.includes(one))
          await store.write(
            tx,
            projectId,
            row.id,
            encryptor.encrypt([...known, ...fresh].slice(-SENTENCES_MAX), contextOf(row.id)),
          )
        })
      }
    },
  }
}
export type Memory = ReturnType<typeof memory>

/** One line each, cut to size, each once. */
export function kept(sentences: readonly unknown[]): string[] {
  const lines = sentences
    .slice(-SENTENCES_MAX)
    .filter((one) => typeof one === 'string')
    .map((one) =>
      one
        .slice(0, CHARACTERS_MAX * 2)
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim()
        .slice(0, CHARACTERS_MAX)
        .toWellFormed(),
    )
  return [...new Set(lines)].filter((line) => line && !tellsSecret(line))
}
